import Foundation
import GRDB
import TestSupport
import Testing

@Suite("A vault whose files somebody edited")
struct DamageCommandsTests {
    private func execute(_ sql: String, _ vault: DemoVault) throws {
        try DatabaseQueue(path: vault.folder + "/vault.sqlite").write { try $0.execute(sql: sql) }
    }

    /// Commands that open it, to look and to change something.
    private static let commands = [
        ["log", "verify"], ["log", "show"], ["key", "list"], ["seed", "list"],
        ["sign", "--file", VaultCommandsTests.payload, "--yes"], ["rotate"],
    ]

    @Test(
        "every command says what is damaged and what to do, and ends with 15",
        arguments: [
            ("DELETE FROM history; DELETE FROM inventory", "the log is not the one"),
            ("DELETE FROM addresses", "rows of addresses"), ("DELETE FROM verifiers", "rows of verifiers"),
            ("DELETE FROM history WHERE key = (SELECT max(key) FROM history)", "rows of history"),
            ("DROP TABLE metadata", "table metadata is missing"), ("DELETE FROM inventory", "sealed digest"),
        ])
    func damaged(_ sql: String, _ words: String) throws {
        let vault = try DemoVault()
        try execute(sql, vault)
        for command in Self.commands {
            let outcome = try vault.run(command)
            #expect(outcome.exitCode == 15 && outcome.output.isEmpty, "\(command): \(outcome.output)")
            #expect(
                outcome.errors.contains(words) && outcome.errors.contains("Restore the folder"), "\(outcome.errors)")
        }
    }

    @Test("a database or a file of seeds that was copied out earlier and put back is noticed")
    func putBack() throws {
        let vault = try DemoVault()
        let files = ["vault.sqlite", "seeds.sealed"].map { URL(filePath: vault.folder + "/" + $0) }
        let old = try files.map { try Data(contentsOf: $0) }
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try vault.unlocked(["seed", "recover", "more", "--phrase-fd", "4"], secrets: [4: words]).succeeded()
        let new = try files.map { try Data(contentsOf: $0) }
        for (index, text) in ["older than the last one", "not the one that was written last"].enumerated() {
            try old[index].write(to: files[index])
            let outcome = try vault.run(["log", "verify"])
            #expect(outcome.exitCode == 15 && outcome.errors.contains(text), "\(outcome.errors)")
            try new[index].write(to: files[index])
        }
        #expect(try vault.run(["seed", "list"]).output.contains("more"))
    }

    @Test(
        "a vault of which a part is missing is damaged, not absent",
        arguments: [("vault.sqlite", "it is missing"), ("key/keyring.mk", "it is missing"), ("key", "it is missing")])
    func missing(_ part: String, _ words: String) throws {
        let vault = try DemoVault()
        try FileManager.default.removeItem(atPath: "\(vault.folder)/\(part)")
        for command in Self.commands + [["status"], ["init", "--none", "--network-allowed"]] {
            let outcome = try vault.run(command)
            // A folder that is taken is not made a vault of either.
            guard command[0] != "init" || part == "vault.sqlite" else {
                #expect(outcome.exitCode == 1 && outcome.errors.contains("[VaultExists]"), "\(outcome.errors)")
                continue
            }
            #expect(outcome.exitCode == 15 && outcome.errors.contains(words), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("Restore the folder"), "\(outcome.errors)")
        }
    }

    @Test("a folder that cannot be looked into is not one without a vault")
    func unreadable() throws {
        let vault = try DemoVault()
        let link = vault.scratch.path("loop")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        for command in [["seed", "list"], ["status"], ["init", "--none", "--network-allowed"]] {
            let outcome = try DemoVault.casemate.run(command + ["--vault", link])
            #expect(
                outcome.exitCode == 1 && outcome.errors.contains("cannot be used"), "\(command): \(outcome.errors)")
            #expect(!outcome.errors.contains("casemate init"))
        }
    }

    @Test("a folder in which others may write holds no vault of this user", arguments: [0o777, 0o770, 0o707])
    func writable(_ mode: Int) throws {
        let vault = try DemoVault()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: vault.folder)
        for command in [["seed", "list"], ["status"], ["network", "list"]] {
            let outcome = try vault.run(command)
            #expect(outcome.exitCode == 1, "\(command): \(outcome.output)")
            #expect(outcome.errors.contains("others may use it") && outcome.errors.contains("chmod"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: vault.folder)
        #expect(try vault.run(["seed", "list"]).exitCode == 0)
    }

    @Test("a mark of a wipe that came with the folder is damage, also for 'status': nothing is removed")
    func plantedWipe() throws {
        let vault = try DemoVault()
        let data = vault.scratch.path("precious")
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: false)
        let mark = vault.folder + "/key/wipe.mk"
        let path = Array(data.utf8)
        let bytes = Array("MKW1".utf8) + Array(repeating: 7, count: 16) + [0, UInt8(path.count)] + path
        try Data(bytes).write(to: URL(filePath: mark))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: mark)
        for command in [["status"], ["vigil", "status"], ["log", "verify"]] {
            let outcome = try vault.run(command)
            #expect(outcome.exitCode != 0 && outcome.errors.contains("wipe.mk"), "\(command): \(outcome.errors)")
            // What would destroy the seeds is not what helps.
            #expect(!outcome.errors.contains("mainkey "), "\(outcome.errors)")
            #expect(FileManager.default.fileExists(atPath: data))
        }
        try FileManager.default.removeItem(atPath: mark)
        #expect(try vault.run(["log", "verify"]).exitCode == 0)
    }

    @Test(
        "killed at any step of a change, the vault opens as it was or as it is to be, and is used",
        arguments: [
            ("seed", "seeds.noted"), ("seed", "replace.renamed"), ("seed", "seeds.written"), ("seed", "database.noted"),
            ("seed", "database.written"), ("sign", "database.noted"), ("sign", "database.written"),
        ])
    func killed(_ command: String, _ step: String) throws {
        let vault = try DemoVault()
        let sign = ["sign", "--file", VaultCommandsTests.payload, "--yes"]
        let arguments = command == "seed" ? ["seed", "recover", "more", "--phrase-fd", "4"] : sign
        let line = ([DemoVault.casemate.path, "--crash-at=\(step)"] + arguments + ["--vault", vault.folder]).map(
            Program.quoted)
        let phrase = vault.scratch.path("phrase")
        let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        try Data(words.utf8).write(to: URL(filePath: phrase))
        let crashed = try Program.shell(
            "\(line.joined(separator: " ")) 4<\(Program.quoted(phrase)); echo $?")
        #expect(crashed.output.hasSuffix("137\n"), "\(step) was not reached: \(crashed.errors)")
        let verified = try vault.run(["log", "verify"])
        #expect(verified.exitCode == 0, "\(verified.errors)")
        #expect(try vault.run(["seed", "list"]).output.contains("demo"))
        let signed = try vault.run(sign)
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try vault.run(["log", "verify"]).exitCode == 0)
    }
}
