import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Renaming a seed")
struct SeedRenamingTests {
    private func names(_ vault: Vault) throws -> Set<String> { Set(try vault.keys().map(\.details.seedName)) }

    @Test("the phrase and every key have the new name, addresses stay, and the log tells it")
    func renames() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let signers = Set(try vault.keys().map(\.signer))
        let entropy = try vault.seeds.mnemonic(named: "demo").entropy
        let entries = try vault.log().count
        try vault.renameSeed(named: "demo", to: " savings ")
        #expect(try vault.seeds.names() == ["savings"])
        #expect(try vault.seeds.mnemonic(named: "savings").entropy == entropy)
        #expect(try names(vault) == ["savings"])
        #expect(try Set(vault.keys().map(\.signer)) == signers)
        #expect(try vault.log().count == entries + 1)
        #expect(try vault.log().last?.entry.events == [.systemEntry("seed renamed: demo, savings")])
        #expect(try vault.seedSummaries() == [Vault.SeedSummary(name: "savings", keyCount: 5, isStored: true)])
        let westend = try vault.network(named: "westend")
        _ = try vault.deriveKey(seed: "savings", path: "//0", password: nil, network: westend)
    }

    @Test("names that are taken, hide something or look like another seed's are refused, and nothing is changed")
    func refusals() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.createSeed(named: "other", wordCount: 12) { _ in }
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        func refusal(_ name: String) -> SignerError? {
            #expect(throws: SignerError.self) { try vault.renameSeed(named: "demo", to: name) }
        }
        #expect(refusal("demo") == .seedNameTaken(name: "demo"))
        #expect(refusal("other") == .seedNameTaken(name: "other"))
        #expect(refusal("\u{ff4f}ther") == .seedNameLookalike(name: "\u{ff4f}ther", other: "other"))
        #expect(refusal("d\u{435}mo") == .seedNameMixesAlphabets)
        #expect(refusal(" ") == .emptySeedName)
        for hidden in ["a,b", "a\u{202e}b", String(repeating: "x", count: 65)] {
            #expect(refusal(hidden) == .seedNameInvalid)
        }
        #expect(throws: SignerError.seedNotFound(name: "nobody")) {
            try vault.renameSeed(named: "nobody", to: "somebody")
        }
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    /// The vault as a program that was killed while it renamed `demo` left it, opened anew.
    private func killed(_ test: TestVault, withRows: Bool) throws -> Vault {
        do {
            let vault = try test.withSeed()
            try vault.seeds.copy("demo", to: "savings")
            if withRows { try vault.renameRows(ofSeed: "demo", to: "savings") }
        }
        return try test.open()
    }

    @Test("killed before the rows are written it has the old name, and can be renamed again", arguments: [false, true])
    func killedBeforeRows(again: Bool) throws {
        let test = try TestVault()
        let opened = try killed(test, withRows: false)
        #expect(try names(opened) == ["demo"])
        let westend = try opened.network(named: "westend")
        _ = try opened.deriveKey(seed: "demo", path: "//0", password: nil, network: westend)
        if again {
            try opened.renameSeed(named: "demo", to: "savings")
            #expect(try opened.seedNames() == ["savings"])
        } else {
            try opened.createSeed(named: "new", wordCount: 12) { _ in }
            #expect(try opened.seedNames() == ["demo", "new"])
        }
    }

    @Test("killed after the rows are written it has the new name")
    func killedAfterRows() throws {
        let test = try TestVault()
        let opened = try killed(test, withRows: true)
        #expect(try names(opened) == ["savings"])
        let westend = try opened.network(named: "westend")
        _ = try opened.deriveKey(seed: "savings", path: "//0", password: nil, network: westend)
        try opened.createSeed(named: "new", wordCount: 12) { _ in }
        #expect(try opened.seedNames() == ["new", "savings"])
    }

    @Test("a seed that is removed after an interrupted renaming leaves no phrase under its other name")
    func removed() throws {
        let test = try TestVault()
        let vault = try killed(test, withRows: false)
        try vault.removeSeed(named: "demo")
        #expect(try vault.seeds.names().isEmpty)
        #expect(try vault.keys().isEmpty)
    }
}
