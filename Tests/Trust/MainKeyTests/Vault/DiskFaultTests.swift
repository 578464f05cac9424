import Foundation
import SecretMemory
import TestSupport
import Testing

@testable import MainKey

@Suite("A vault on a disk that takes nothing more", .enabled(if: SmallFileSystem.isPossible))
struct DiskFaultTests {
    private let disk: SmallFileSystem
    private var path: String { disk.folder.file("vault") }

    init() throws { disk = try #require(SmallFileSystem(options: "size=256k")) }

    /// Every change of the vault, by name.
    private static let changes: [(name: String, run: @Sendable (MainKeyVault) throws -> Void)] = [
        (
            "change-pin",
            {
                try $0.changePIN(
                    from: VaultFolder.pin(), to: VaultFolder.pin(VaultFolder.otherPIN), VaultFolder.options)
            }
        ),
        ("set-autolock", { try $0.setAutolock(.minutes(7)) }),
        (
            "protect",
            {
                try $0.setProtections(
                    keeping: [], adding: [.none], authenticatedBy: .pin(VaultFolder.pin()), VaultFolder.options)
            }
        ),
        (
            "rekey",
            {
                try $0.rekey(
                    [.pin(VaultFolder.pin(VaultFolder.otherPIN))], authenticatedBy: .pin(VaultFolder.pin()),
                    VaultFolder.options)
            }
        ),
        ("rotate", { try $0.rotate([]) }),
        ("token", { try $0.setToken("mail", VaultFolder.pin("tk-5521")) }),
    ]

    private func make() throws -> (MainKeyVault, sealed: [UInt8]) {
        let vault = try Unwatched.create(at: path, [.pin(VaultFolder.pin())], VaultFolder.options)
        return (vault, try vault.withUnlocked { try $0.seal("kept", .app("test")) })
    }

    /// Opened anew, with the PIN that it always had.
    private func expectUnchanged(_ sealed: [UInt8]) throws {
        let vault = try Unwatched.open(at: path)
        try vault.unlock(.pin(VaultFolder.pin()))
        #expect(try vault.withUnlocked { try $0.open(sealed, as: String.self, .app("test")) } == "kept")
        #expect(try vault.status().epochs.map(\.number) == [1] && vault.tokenNames().isEmpty)
    }

    @Test("full: each change is refused, and the vault is as it was")
    func full() throws {
        let (vault, sealed) = try make()
        let filler = disk.folder.file("filler")
        for change in Self.changes {
            let file = open(filler, O_WRONLY | O_CREAT, 0o600)
            let bytes = [UInt8](repeating: 1, count: 4096)
            while write(file, bytes, bytes.count) > 0 {}
            close(file)
            #expect(code { try change.run(vault) } == "io", "\(change.name)")
            unlink(filler)
            try expectUnchanged(sealed)
        }
        try vault.setAutolock(.minutes(7))
        #expect(try vault.status().autolock == .minutes(7))
    }

    @Test("read-only: each change is refused, a PIN is not tried uncounted, and the vault is as it was")
    func readOnly() throws {
        let (vault, sealed) = try make()
        try #require(disk.makeReadOnly())
        for change in Self.changes { #expect(code { try change.run(vault) } == "io", "\(change.name)") }
        #expect(code { try vault.wipe() } == "io")
        let another = try Unwatched.open(at: path)
        #expect(code { try another.unlock(.pin(VaultFolder.pin())) } == "io")
        #expect(run("/usr/bin/mount", "-o", "remount,rw", disk.folder.path))
        try expectUnchanged(sealed)
    }
}
