import Foundation
import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Sealed seeds")
struct SeedVaultTests {
    @Test("what was stored is opened by the right PIN, and not by a session alone")
    func roundTrip() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        let vault = try test.open(.read)
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        test.person.pin = try TestVault.secret("passphrasf")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) {
            try vault.seeds.mnemonic(named: "demo")
        }
        test.person.pin = test.pin
        let expected = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        #expect(try vault.seeds.mnemonic(named: "demo").entropy == expected.entropy)
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    @Test("a preview of a stored phrase is that of the phrase itself, and changes no file")
    func preview() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        let vault = try test.open(.read)
        let rows = try vault.preview(ofSeed: "demo", password: nil).rows(paths: [], accounts: 1, prefix: nil)
        let ethereum = try #require(rows.first { $0.scheme == .ethereumBIP44 })
        #expect(try ethereum.key.get().address == "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac")
        #expect(throws: SignerError.seedNotFound(name: "none")) { try vault.preview(ofSeed: "none", password: nil) }
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    @Test("no flipped bit and no cut goes unnoticed")
    func mauled() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let path = test.folder.appending(path: "seeds.sealed")
        let whole = Array(try Data(contentsOf: path))
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 1
            try Data(bytes).write(to: path)
            let error = #expect(throws: SignerError.self) { try vault.seeds.names() }
            #expect(error?.code == "DatabaseDamaged")
        }
        for count in [0, 7, 20, whole.count - 1] {
            try Data(whole[..<count]).write(to: path)
            #expect(throws: SignerError.self) { try vault.seeds.names() }
        }
        try Data(whole).write(to: path)
        #expect(try vault.seeds.names() == ["demo"])
    }
}

@Suite("Seeds and keys")
struct SeedTests {
    @Test("a seed comes with its root and a key in every network; they are logged")
    func defaults() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let keys = try vault.keys()
        #expect(keys.map(\.details.path) == ["", "//kusama", "//polkadot", "//statemint", "//westend"])
        #expect(try vault.log().last?.entry.events.first == .seedCreated(name: "demo"))
        let westend = try vault.network(named: "Westend")
        #expect(
            keys.last?.address(in: westend).text == "5DVJWniDyUja5xnG4t5i3Rrd2Gguf1fzxPYfgZBbKcvFqk4N")
    }

    @Test("names and phrases are taken once")
    func taken() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let phrase = try TestVault.secret(TestVault.phrase)
        #expect(throws: SignerError.seedNameTaken(name: "demo")) {
            try vault.recoverSeed(named: " demo ", phrase: phrase)
        }
        #expect(throws: SignerError.seedAlreadyExists(name: "demo")) {
            try vault.recoverSeed(named: "other", phrase: phrase)
        }
        for name in ["", "  ", "a,b", "a\nb", String(repeating: "x", count: 65)] {
            #expect(throws: SignerError.self) {
                try vault.createSeed(named: name, wordCount: 12) { _ in }
            }
        }
        #expect(try vault.seedNames() == ["demo"])
    }

    @Test("a new seed is stored only after its words were shown")
    func shownFirst() throws {
        struct NotShown: Error {}
        let test = try TestVault()
        let vault = try test.open()
        #expect(throws: NotShown.self) {
            try vault.createSeed(named: "new", wordCount: 12) { _ in
                #expect(try vault.seeds.names().isEmpty && vault.keys().isEmpty)
                throw NotShown()
            }
        }
        #expect(try vault.seeds.names().isEmpty && vault.keys().isEmpty)
        var shown: SecretBytes?
        try vault.createSeed(named: "new", wordCount: 12) { shown = $0.entropy }
        #expect(try vault.seeds.mnemonic(named: "new").entropy == shown)
    }

    @Test("a seed is not made of a random source that fails, and nobody is shown words")
    func randomSource() throws {
        struct Constant: RandomSource {
            let name = "A constant source"
            func fill(_ memory: UnsafeMutableRawBufferPointer) {
                for index in memory.indices { memory[index] = 7 }
            }
        }
        let vault = try TestVault().open()
        let broken = MixedRandom([KernelRandom(), Constant()])
        #expect(throws: SignerError.invalidMnemonic(.memory(.random(.repeating(source: "A constant source"))))) {
            try vault.createSeed(named: "new", from: broken) { _ in Issue.record("there are no words to show") }
        }
        #expect(try vault.seeds.names().isEmpty)
    }

    @Test("names that look like another's, or hide what they are, are refused")
    func lookalikes() throws {
        let vault = try TestVault().withSeed()
        func refusal(_ name: String) -> SignerError? {
            #expect(throws: SignerError.self) { try vault.createSeed(named: name, wordCount: 12) { _ in } }
        }
        #expect(refusal("d\u{435}mo") == .seedNameMixesAlphabets)
        #expect(refusal("\u{3b1}\u{430}") == .seedNameMixesAlphabets)
        #expect(refusal("\u{ff44}emo") == .seedNameLookalike(name: "\u{ff44}emo", other: "demo"))
        for hidden in ["\u{202e}omed", "de\u{200b}mo", "de\u{ad}mo", "\u{feff}demo", "de\u{2028}mo"] {
            #expect(refusal(hidden) == .seedNameInvalid)
        }
        #expect(try vault.seedNames() == ["demo"])
    }

    @Test("a removed seed is gone from store, rows and lists")
    func remove() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.removeSeed(named: "demo")
        #expect(try vault.keys().isEmpty)
        #expect(try vault.seeds.names().isEmpty)
        #expect(throws: SignerError.seedNotFound(name: "demo")) {
            try vault.removeSeed(named: "demo")
        }
    }

    @Test("a sealed seed that a crash left without rows gets them with the next seed")
    func halfDone() throws {
        let test = try TestVault()
        let vault = try test.open()
        let mnemonic = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        try vault.seeds.add(mnemonic, named: "demo")
        #expect(try vault.seedSummaries() == [Vault.SeedSummary(name: "demo", keyCount: 0, isStored: true)])
        try vault.createSeed(named: "new", wordCount: 12) { _ in }
        #expect(try vault.seedNames() == ["demo", "new"])
    }

    @Test("a key is enabled once in a network; the same key under another path collides")
    func derive() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        func derive(_ path: String, password: String? = nil, network: NetworkSpecs) throws -> StoredKey {
            try vault.deriveKey(
                seed: "demo", path: path, password: password.map(TestVault.secret), network: network)
        }
        #expect(throws: SignerError.derivationExists(path: "//westend", network: "Westend")) {
            try derive("//westend", password: nil, network: westend)
        }
        _ = try derive("//0", password: nil, network: westend)
        #expect(throws: SignerError.keyCollision(seed: "demo", path: "//0")) {
            try derive("//00", password: nil, network: westend)
        }
        let locked = try derive("//westend", password: "pass", network: westend)
        #expect(locked.details.hasPassword)
        let kusama = try vault.network(named: "kusama")
        #expect(try derive("//westend", password: nil, network: kusama).details.networks.count == 2)
        #expect(throws: SignerError.self) { try derive("//a///secret", password: nil, network: westend) }
    }
}
