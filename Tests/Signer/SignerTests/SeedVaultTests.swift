import Foundation
import SecretMemory
import Substrate
import TestSupport
import Testing

@testable import Signer

@Suite("Sealed seeds")
struct SeedVaultTests {
    @Test("what was stored is opened with the right passphrase, and only with that")
    func roundTrip() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let mnemonic = try vault.seeds.mnemonic(named: "demo", credential: test.pin)
        let expected = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        #expect(mnemonic.entropy == expected.entropy)
        let before = try test.files()
        #expect(throws: SignerError.wrongCredential) {
            try vault.seeds.mnemonic(named: "demo", credential: TestVault.secret("passphrasf"))
        }
        #expect(try test.files() == before)
    }

    @Test("a preview of a stored phrase is that of the phrase itself, and changes no file")
    func preview() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let before = try test.files()
        let vault = try test.open(.read)
        let rows = try vault.preview(ofSeed: "demo", password: nil, credential: test.pin)
            .rows(paths: [], accounts: 1, prefix: nil)
        let ethereum = try #require(rows.first { $0.scheme == .ethereumBIP44 })
        #expect(try ethereum.key.get().address == "0xf24FF3a9CF04c71Dbc94D0b566f7A27B94566cac")
        #expect(throws: SignerError.seedNotFound(name: "none")) {
            try vault.preview(ofSeed: "none", password: nil, credential: test.pin)
        }
        #expect(try test.files() == before)
    }

    @Test(
        "no flipped bit and no cut goes unnoticed, and none is taken for a wrong passphrase behind the header's key part"
    )
    func mauled() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let path = test.folder.appending(path: "seeds.sealed")
        let whole = Array(try Data(contentsOf: path))
        let seeds = PassphraseSeedVault(path: path.path, cost: TestVault.cost)
        // Magic, passes and memory: 20 bytes that are checked before the costly part.
        for index in whole.indices where index < 8 || index % 3 == 0 {
            // A larger cost is allowed by the format, and would only take long.
            guard !(8..<20).contains(index) else { continue }
            var bytes = whole
            bytes[index] ^= 1
            try Data(bytes).write(to: path)
            #expect(throws: SignerError.self) { try seeds.names(credential: test.pin) }
        }
        for count in [0, 7, 20, 60, whole.count - 1] {
            try Data(whole[..<count]).write(to: path)
            #expect(throws: SignerError.self) { try seeds.names(credential: test.pin) }
        }
        try Data(whole).write(to: path)
        #expect(try seeds.names(credential: test.pin) == ["demo"])
    }

    @Test("a file that asks for an unreasonable cost is refused before any work")
    func hostileCost() throws {
        let test = try TestVault()
        let path = test.folder.appending(path: "seeds.sealed")
        var bytes = Array(try Data(contentsOf: path))
        for index in 12..<20 { bytes[index] = 0xff }
        try Data(bytes).write(to: path)
        #expect(throws: SignerError.self) {
            try PassphraseSeedVault(path: path.path).names(credential: test.pin)
        }
    }

    @Test("a passphrase that is too short is refused")
    func weak() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "casemate-weak-\(UUID().uuidString)")
        #expect(throws: SignerError.credentialTooWeak(least: 4)) {
            try Vault.create(
                in: folder, credential: TestVault.secret("123"), bundle: .shipped(), cost: TestVault.cost)
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("the file does not show the entropy, and nobody else may read it")
    func atRest() throws {
        let test = try TestVault()
        _ = try test.withSeed()
        let entropy = try Mnemonic(phrase: TestVault.secret(TestVault.phrase)).entropy.withUnsafeBytes { Array($0) }
        for (name, data) in try test.files() {
            #expect(data.range(of: Data(entropy)) == nil, "\(name)")
            #expect(data.range(of: Data("bottom drive".utf8)) == nil, "\(name)")
            let attributes = try FileManager.default.attributesOfItem(atPath: test.folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test("another passphrase takes the place of the old one")
    func change() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let new = try TestVault.secret("another one")
        try vault.changeCredential(from: test.pin, to: new)
        #expect(throws: SignerError.wrongCredential) { try vault.seeds.names(credential: test.pin) }
        #expect(try vault.seeds.names(credential: new) == ["demo"])
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
            try vault.recoverSeed(named: " demo ", phrase: phrase, credential: test.pin)
        }
        #expect(throws: SignerError.seedAlreadyExists(name: "demo")) {
            try vault.recoverSeed(named: "other", phrase: phrase, credential: test.pin)
        }
        for name in ["", "  ", "a,b", "a\nb", String(repeating: "x", count: 65)] {
            #expect(throws: SignerError.self) {
                _ = try vault.createSeed(named: name, wordCount: 12, credential: test.pin)
            }
        }
        #expect(try vault.seedNames() == ["demo"])
    }

    @Test("a removed seed is gone from store, rows and lists")
    func remove() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        try vault.removeSeed(named: "demo", credential: test.pin)
        #expect(try vault.keys().isEmpty)
        #expect(try vault.seeds.names(credential: test.pin).isEmpty)
        #expect(throws: SignerError.seedNotFound(name: "demo")) {
            try vault.removeSeed(named: "demo", credential: test.pin)
        }
    }

    @Test("a sealed seed that a crash left without rows gets them with the next seed")
    func halfDone() throws {
        let test = try TestVault()
        let vault = try test.open()
        let mnemonic = try Mnemonic(phrase: TestVault.secret(TestVault.phrase))
        try vault.seeds.add(mnemonic, named: "demo", credential: test.pin)
        #expect(try vault.seedNames().isEmpty)
        _ = try vault.createSeed(named: "new", wordCount: 12, credential: test.pin)
        #expect(try vault.seedNames() == ["demo", "new"])
    }

    @Test("a key is enabled once in a network; the same key under another path collides")
    func derive() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        func derive(_ path: String, _ password: String? = nil, _ network: NetworkSpecs) throws -> StoredKey {
            try vault.deriveKey(
                seed: "demo", path: path, password: password.map(TestVault.secret), network: network,
                credential: test.pin)
        }
        #expect(throws: SignerError.derivationExists(path: "//westend", network: "Westend")) {
            try derive("//westend", nil, westend)
        }
        _ = try derive("//0", nil, westend)
        #expect(throws: SignerError.keyCollision(seed: "demo", path: "//0")) { try derive("//00", nil, westend) }
        let locked = try derive("//westend", "pass", westend)
        #expect(locked.details.hasPassword)
        let kusama = try vault.network(named: "kusama")
        #expect(try derive("//westend", nil, kusama).details.networks.count == 2)
        #expect(throws: SignerError.self) { try derive("//a///secret", nil, westend) }
    }
}
