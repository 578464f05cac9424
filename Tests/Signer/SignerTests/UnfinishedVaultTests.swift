import Foundation
import MainKey
import Testing

@testable import Signer

@Suite("A vault that is being made")
struct UnfinishedVaultTests {
    /// Makes the vault `vault` in a folder, with what the account remembers of its vaults beside it.
    private static func make(in folder: URL, beforeItAppears: () throws -> Void = {}) throws {
        var options = VaultOptions()
        options.cost = TestVault.cost
        options.allowsNoRecovery = true
        var opening = OpenOptions()
        opening.knownVaults = KnownVaults(at: folder.appending(path: "known").path)
        try Vault.create(
            in: folder.appending(path: "vault"), protections: [.pin(TestVault.secret("passphrase"))], options: options,
            bundle: .shipped(), opening: opening, beforeItAppears: beforeItAppears)
    }

    private func names(in folder: URL, _ name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path).sorted()
    }

    @Test(
        "what a killed process left of it is gone when it is made the next time, and is remembered no more",
        arguments: ["create.slots", "create.attempts", "commit.4", "commit.7", "database.written", "last"])
    func killed(at step: String) async throws {
        let folder = try Folder()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.url.path as String, step = step as String] in
            _ = CrashPoint.take(from: [CrashPoint.argument(step)])
            try Self.make(in: URL(filePath: path)) { kill(getpid(), SIGKILL) }
        }
        #expect(try names(in: folder.url).count { $0.hasPrefix(".vault.new-") } == 1)
        try Self.make(in: folder.url)
        #expect(try names(in: folder.url) == ["known", "vault"])
        #expect(try names(in: folder.url, "known").count { $0.hasSuffix(".vault") } == 1)
    }

    @Test("what another process is making, has another name or belongs to something else stays")
    func others() throws {
        let folder = try Folder()
        let others = [".vault.new-1", ".vault.old.new-\(UUID().uuidString)", ".vault.new-\(UUID().uuidString).kept"]
        for name in others {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name), withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        }
        #expect(throws: SignerError.self) {
            try Self.make(in: folder.url) {
                let before = try names(in: folder.url)
                try Self.make(in: folder.url)
                #expect(try names(in: folder.url) == (before + ["vault"]).sorted())
            }
        }
        #expect(try names(in: folder.url) == (others + ["known", "vault"]).sorted())
    }
}
