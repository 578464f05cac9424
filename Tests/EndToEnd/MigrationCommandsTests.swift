import Foundation
import TestSupport
import Testing

@Suite("Migrating a vault of the first kind")
struct MigrationCommandsTests {
    /// Made with the development phrase as `demo`, Westend without metadata, and this passphrase.
    private static let passphrase = "a passphrase"
    private static let fixture = packageRoot.appending(path: "Tests/EndToEnd/Fixtures/FirstKindVault")

    private let scratch: Scratch
    private let folder: String

    init() throws {
        scratch = try Scratch()
        folder = scratch.path("vault")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        for name in ["vault.sqlite", "seeds.sealed"] {
            let place = folder + "/" + name
            try FileManager.default.copyItem(atPath: Self.fixture.appending(path: name).path, toPath: place)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place)
        }
    }

    private func run(_ arguments: [String]) throws -> Program.Outcome {
        // Strict, as vaults of before are.
        try DemoVault.casemate.run(
            ["--isolated"] + arguments + ["--vault", folder, "--pin-fd", "3"], secrets: [3: Self.passphrase])
    }

    /// What a vault holds, as a person sees it.
    private func content() throws -> [String] {
        let keys = try run(["key", "list"])
        let log = try run(["log", "verify"])
        let seed = try run(["key", "preview", "--seed", "demo"])
        return [keys.output, log.output, seed.output]
    }

    @Test("the next command that changes something seals it, and says so")
    func migrated() throws {
        let before = try run(["key", "list"])
        #expect(before.output.contains("//westend"))
        let status = try DemoVault.casemate.run(["status", "--vault", folder])
        #expect(status.exitCode == 1 && status.errors.contains("[FirstKind]"))
        let migrated = try run(["protect"])
        #expect(migrated.exitCode == 0 && migrated.errors.contains("sealed under your PIN"), "\(migrated.errors)")
        #expect(try content()[0] == before.output)
        #expect(try content()[2].contains("5DfhGyQdFobKM8NsWvEeAKk5EQQgYe9AydgJ7rMB6E1EqRzV"))
        #expect(!(try run(["seed", "list"]).errors.contains("earlier version")))
    }

    @Test(
        "killed at any step it is the old vault or the new one, and opens as such",
        arguments: [
            "migrate.1", "create.slots", "create.attempts", "commit.1", "commit.3", "commit.4", "commit.5", "commit.7",
            "migrate.2", "migrate.3", "migrate.4", "migrate.5", "migrate.zeros:vault.sqlite",
            "migrate.moved:vault.sqlite", "migrate.zeros:seeds.sealed", "migrate.moved:seeds.sealed",
        ])
    func killed(at step: String) throws {
        let log = try run(["log", "verify"]).output
        let protect = [
            DemoVault.casemate.path, "--isolated", "--crash-at=\(step)", "protect", "--vault", folder, "--pin-fd", "3",
        ].map(Program.quoted)
        let secret = scratch.path("pin")
        try Data(Self.passphrase.utf8).write(to: URL(filePath: secret))
        let crashed = try Program.shell(
            "\(protect.joined(separator: " ")) 3<\(Program.quoted(secret)); "
                + "echo $?")
        #expect(crashed.output.hasSuffix("137\n"), "\(step) was not reached: \(crashed.errors)")
        // Whatever it is now, it can be looked at, and then it is opened for changes.
        #expect(try run(["log", "verify"]).output == log)
        #expect(try run(["protect"]).exitCode != 10)
        #expect(try run(["log", "verify"]).output == log)
        #expect(try run(["key", "preview", "--seed", "demo"]).exitCode == 0)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "key", "lock", "seeds.sealed", "vault.sqlite",
            ])
        let rows = try Data(contentsOf: URL(filePath: folder + "/vault.sqlite"))
        #expect(rows.range(of: Data("noted before the migration".utf8)) == nil)
    }
}
