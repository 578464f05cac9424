import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// One key has many spellings of its path: what follows for it follows for all of them.
@Suite("Keys whose paths are spelt otherwise")
struct PathSpellingTests {
    /// Two spellings of one junction's code.
    static let twins = [("1", "01"), ("01", "1"), ("1", "+1"), ("a", "24836"), ("24836", "a"), ("p", "28676")]

    private struct Opened {
        let vault: Vault
        let polkadot: Chain

        init() throws {
            vault = try TestVault().withSeed()
            polkadot = try Chain("polkadot")
        }

        func derive(_ path: String) throws -> StoredKey {
            try vault.deriveKey(seed: "demo", path: path, password: nil, network: polkadot.specs)
        }

        /// The secret of a key leaves the vault.
        func expose(_ path: String) throws -> StoredKey {
            let key = try derive(path)
            _ = try vault.exportSecret(of: key.signer, in: polkadot.specs.key)
            return key
        }

        /// Whether a hot wallet that names the key by its path is told of the danger.
        func isDangerous(_ path: String) throws -> Bool {
            let payload = try polkadot.payload(
                polkadot.transfer(), derivedFrom: DerivationsPayload.root, path: path)
            return try vault.process(payload).risks.map(\.rule).contains(.exposedKey)
        }
    }

    @Test("what is below a key whose secret is out is exposed, stored or named by a wallet", arguments: twins)
    func below(spelling: (String, String)) throws {
        let opened = try Opened()
        _ = try opened.derive("//\(spelling.1)//before")
        _ = try opened.expose("//\(spelling.0)")
        let before = try #require(opened.vault.keys().first { $0.details.path == "//\(spelling.1)//before" })
        #expect(before.details.secretExposed)
        #expect(try opened.derive("//\(spelling.1)//after").details.secretExposed)
        #expect(try opened.isDangerous("//\(spelling.1)//x") && opened.isDangerous("//\(spelling.1)/x"))
        #expect(try !opened.isDangerous("//\(spelling.1)1") && !opened.isDangerous("/\(spelling.1)//x"))
    }

    @Test("a key that was removed after its secret had left the vault has its mark by any name", arguments: twins)
    func forgotten(spelling: (String, String)) throws {
        let opened = try Opened()
        let key = try opened.expose("//a//\(spelling.0)")
        try opened.vault.removeKeys([key.signer], from: opened.polkadot.specs.key)
        #expect(try opened.isDangerous("//a//\(spelling.1)") && opened.isDangerous("//a//\(spelling.0)"))
        #expect(try opened.derive("//a//\(spelling.1)//y").details.secretExposed)
    }

    @Test("a soft child that is out puts keys below its parent at risk, and is counted so before", arguments: twins)
    func softParent(spelling: (String, String)) throws {
        let opened = try Opened()
        let below = try opened.derive("//\(spelling.1)//z")
        let child = try opened.derive("//\(spelling.0)/5")
        let rows = try opened.vault.keyRows()
        #expect(SecretExposure.countGivenAway(with: child, among: rows) == 1)
        _ = try opened.vault.exportSecret(of: child.signer, in: opened.polkadot.specs.key)
        #expect(try SecretExposure.atRisk(among: opened.vault.keyRows()) == [below.signer])
        #expect(try opened.isDangerous("//\(spelling.1)//other") && opened.isDangerous("//\(spelling.1)"))
    }

    @Test(
        "a path that is typed is there already by any name, also where its key is in another network", arguments: twins)
    func checks(spelling: (String, String)) throws {
        let opened = try Opened()
        let key = try opened.derive("//\(spelling.0)//x")
        let (vault, kusama) = (opened.vault, try opened.vault.network(named: "kusama"))
        for network in [opened.polkadot.specs, kusama] {
            let check = try vault.derivationCheck("//\(spelling.1)//x", ofSeed: "demo", in: network)
            #expect(check.next == nil && check.collision?.signer == key.signer && check.error == nil)
            #expect(throws: SignerError.keyCollision(seed: "demo", path: key.details.path)) {
                try vault.deriveKey(seed: "demo", path: "//\(spelling.1)//x", password: nil, network: network)
            }
        }
        #expect(try vault.derivationCheck("//\(spelling.0)//x", ofSeed: "demo", in: kusama).next != nil)
        var edwards = kusama
        edwards.scheme = .ed25519
        #expect(try vault.derivationCheck("//\(spelling.1)//x", ofSeed: "demo", in: edwards).next != nil)
    }

    @Test("numbers under which a key is already are left out, where further ones are made and where one is offered")
    func numbers() throws {
        let opened = try Opened()
        let (vault, network) = (opened.vault, opened.polkadot.specs)
        let base = try opened.derive("//a")
        for path in ["//a//01", "//24836//+2", "//polkadot//00"] { _ = try opened.derive(path) }
        #expect(
            try vault.increment(base.signer, in: network.key, count: 3).map(\.details.path) == [
                "//a//0", "//a//3", "//a//4",
            ])
        #expect(try vault.suggestedPath(ofSeed: "demo", in: network) == "//polkadot//1")
        // Under another name it is in no other network either.
        let kusama = try vault.network(named: "kusama")
        _ = try vault.deriveKey(seed: "demo", path: "//a", password: nil, network: kusama)
        #expect(
            try vault.increment(base.signer, in: kusama.key, count: 3).map(\.details.path) == [
                "//a//0", "//a//3", "//a//4",
            ])
    }

    @Test(
        "a vault that lacks a mark gets it when it is opened, to look too, and its log says so",
        arguments: [false, true])
    func opening(toLook: Bool) throws {
        let test = try TestVault()
        let key = try Self.makeUnmarked(in: test)
        let vault = try test.open(toLook ? .read : .write)
        #expect(try vault.keys().first { $0.signer == key }?.details.secretExposed == true)
        #expect(try vault.log().last?.entry.events == [.systemEntry("marked as exposed: demo//01//x")])
    }

    /// What an earlier version wrote: a key below one whose secret is out, without the mark.
    private static func makeUnmarked(in test: TestVault) throws -> MultiSigner {
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        let exposed = try vault.deriveKey(seed: "demo", path: "//1", password: nil, network: westend)
        _ = try vault.exportSecret(of: exposed.signer, in: westend.key)
        var key = try vault.deriveKey(seed: "demo", path: "//01//x", password: nil, network: westend)
        key.details.secretExposed = false
        try vault.database.write { try $0.put(key) }
        return key.signer
    }

    @Test("what is no path is below the root alone")
    func noPaths() {
        func exposed(_ path: String) -> AddressDetails {
            AddressDetails(
                seedName: "demo", path: path, hasPassword: false, networks: [], scheme: .sr25519, secretExposed: true)
        }
        func reaches(_ above: String, _ path: String) -> Bool {
            SecretExposure.reaches(from: exposed(above), path: path, hasPassword: false, seed: "demo")
        }
        #expect(reaches("", "//a///") && reaches("//a///", "//a///"))
        #expect(!reaches("//a", "//a///") && !reaches("//a///", "//a"))
    }
}
