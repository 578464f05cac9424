import Foundation
import TestSupport
import Testing

@Suite("casemate seed rename")
struct SeedRenamingCommandsTests {
    private func seeds(_ vault: DemoVault) throws -> [String?] {
        try vault.run(["seed", "list", "--json"]).json().array.filter { $0["keys"].int != 0 }.map { $0["name"].string }
    }

    private func keys(_ vault: DemoVault) throws -> (owners: Set<String?>, addresses: [String?]) {
        let rows = try vault.run(["key", "list", "--json"]).json().array
        return (Set(rows.map { $0["seed"].string }), rows.map { $0["networks"][0]["address"].string })
    }

    @Test("the keys go with the name, and the log tells it")
    func renames() throws {
        let vault = try DemoVault()
        let before = try keys(vault)
        let renamed = try vault.run(["seed", "rename", "demo", "savings"])
        #expect(renamed.exitCode == 0 && renamed.output == "Seed demo is now named savings.\n", "\(renamed.errors)")
        #expect(try seeds(vault) == ["savings"])
        let after = try keys(vault)
        #expect(after.owners == ["savings"] && after.addresses == before.addresses)
        #expect(try vault.run(["log", "show"]).output.contains("seed renamed: demo, savings"))
        #expect(try vault.run(["log", "verify"]).exitCode == 0)
        #expect(try vault.run(["seed", "rename", "demo", "other"]).exitCode == 16)
        let lookalike = try vault.run(["seed", "rename", "savings", "s\u{430}vings"])
        #expect(lookalike.exitCode != 0 && lookalike.errors.contains("[SeedNameMixesAlphabets]"), "\(lookalike.errors)")
        #expect(try seeds(vault) == ["savings"])
    }

    @Test(
        "killed at any step, the seed has its old name or its new one, signs, and is removed with all its phrases",
        arguments: [
            ("seeds.noted", "demo"), ("replace.renamed", "demo"), ("seeds.written", "demo"), ("rename.copied", "demo"),
            ("database.noted", "demo"), ("database.written", "savings"), ("rename.written", "savings"),
            ("seeds.noted@2", "savings"), ("seeds.written@2", "savings"),
        ])
    func killed(at step: String, leaves name: String) throws {
        let vault = try DemoVault()
        let before = try keys(vault).addresses
        let line = [DemoVault.casemate.path, "--crash-at=\(step)", "seed", "rename", "demo", "savings"]
        let command = (line + ["--vault", vault.folder]).map(Program.quoted).joined(separator: " ")
        let crashed = try Program.shell("\(command); echo $?")
        #expect(crashed.output.hasSuffix("137\n"), "\(step) was not reached: \(crashed.output)\(crashed.errors)")
        #expect(try vault.run(["log", "verify"]).exitCode == 0)
        let after = try keys(vault)
        #expect(after.owners == [name] && after.addresses == before)
        #expect(try seeds(vault) == [name])
        let signed = try vault.run(["sign", "--file", VaultCommandsTests.payload, "--yes"])
        #expect(signed.exitCode == 0, "\(signed.errors)")
        #expect(try vault.run(["seed", "remove", name, "--yes"]).exitCode == 0)
        #expect(try vault.run(["seed", "list", "--json"]).json().array.isEmpty)
    }
}
