import SecretMemory
import Substrate
import Testing

@testable import Signer

@Suite("Transactions of keys that are derived on the fly")
struct DynamicTransactionTests {
    private func code(_ payload: [UInt8], _ vault: Vault) throws -> String? {
        do {
            _ = try vault.process(payload)
            return nil
        } catch let error as RefusedPayload {
            return error.code
        }
    }

    @Test("the key at the path signs, for a network that nothing was enabled in, and is not stored")
    func signed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        // Alice's key is the demo seed's at //Alice.
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        let (keys, log) = try (vault.keys(), vault.log().count)
        let answer = try vault.process(payload)
        let request = try #require(answer.requests.first)
        #expect(request.key.signer == .sr25519(Person.alice))
        #expect(request.author.base58 == (try chain.address(Person.alice)))
        #expect(request.author.seedName == "demo" && request.author.path == "//Alice")
        let typed = try [String(chain.address(Person.alice).suffix(5))]
        let signed = try test.sign(payload, in: vault, confirmations: typed)
        #expect(signed.isValid(for: [request]) && signed.text.count == 130)
        #expect(try vault.keys() == keys)
        #expect(try vault.log().count == log + 1)
    }

    // MARK: Isolation

    @Test("a path that imitates the screen is told in quotes, and not whole")
    func paintedPath() throws {
        let vault = try TestVault().withSeed()
        let chain = try Chain("polkadot")
        let blanks = String(repeating: " ", count: 60)
        let painted = "//0 (yours), value 1.0 DOT  At a glance  1. Balances.transfer_keep_alive" + blanks
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: painted)
        let risk = try #require(vault.process(payload).risks.first { $0.rule == .derivedOnTheFly })
        #expect(risk.message.contains("path \"//0 (yours), value 1.0 DOT"))
        #expect(!risk.message.contains("transfer_keep_alive"))
    }

    @Test(
        "a key that is not enabled in the network is dangerous: root, path and address are named, and nothing is signed unseen",
        arguments: ["//Alice", "", "//westend"])
    func notEnabled(path: String) throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        // Also where the same key is stored and enabled elsewhere.
        _ = try vault.deriveKey(
            seed: "demo", path: "//Alice", password: nil, network: vault.network(named: "westend"))
        let root = DerivationsPayload.root
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: path)
        let answer = try vault.process(payload)
        let address = try #require(answer.requests.first).author.base58
        let risk = try #require(answer.risks.first { $0.rule == .derivedOnTheFly })
        #expect(risk.severity == .danger && risk.confirmations.map(\.text) == [String(address.suffix(5))])
        let from = path.isEmpty ? "the root itself" : path
        for part in [address, try SS58.encode(Array(root), prefix: 42), from, "demo", "Polkadot"] {
            #expect(risk.message.contains(part), "\(part)")
        }
        let before = try vault.state()
        #expect(throws: SignerError.riskNotConfirmed) { try test.sign(payload, in: vault) }
        #expect(try vault.state() == before)
    }

    @Test("a key that is enabled in the network signs as the stored one does, and its row's exposure counts")
    func enabled() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        let key = try vault.deriveKey(seed: "demo", path: "//Alice", password: nil, network: chain.specs)
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        #expect(try vault.process(payload).confirmations.isEmpty)
        #expect(try test.sign(payload, in: vault).signatures.count == 1)
        var exposed = key
        exposed.details.secretExposed = true
        try vault.database.write { try $0.put(exposed) }
        #expect(try vault.process(payload).risks.map(\.rule).contains(.exposedKey))
        // A row that is exposed counts also where it is enabled in another network alone.
        let kusama = try Chain("kusama")
        let elsewhere = try kusama.payload(
            kusama.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        #expect(try Set(vault.process(elsewhere).risks.map(\.rule)).isSuperset(of: [.exposedKey, .derivedOnTheFly]))
    }

    @Test("a key whose secret is out stays so where its path is spelt otherwise")
    func otherSpelling() throws {
        let vault = try TestVault().withSeed()
        let (polkadot, kusama) = try (Chain("polkadot"), Chain("kusama"))
        let key = try vault.deriveKey(seed: "demo", path: "//1", password: nil, network: polkadot.specs)
        let payload = try kusama.payload(kusama.transfer(), derivedFrom: DerivationsPayload.root, path: "//01")
        #expect(try vault.process(payload).requests.map(\.key.signer) == [key.signer])
        #expect(try !vault.process(payload).risks.map(\.rule).contains(.exposedKey))
        _ = try vault.exportSecret(of: key.signer, in: polkadot.specs.key)
        #expect(try vault.process(payload).risks.map(\.rule).contains(.exposedKey))
    }

    @Test("a path in another form of Unicode than keyboards give is refused: it would be another key that looks alike")
    func notComposed() throws {
        let vault = try TestVault().withSeed()
        let chain = try Chain("polkadot")
        func payload(_ path: String) throws -> [UInt8] {
            try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: path)
        }
        #expect(try vault.process(payload("//\u{e9}")).requests.count == 1)
        let path = try DerivationPath(parsing: "//e\u{301}")
        #expect(throws: RefusedPayload.pathNotComposed(path: path)) { try vault.process(payload("\(path)")) }
    }

    @Test("within a session a key is derived only when the person has typed the PIN")
    func session() throws {
        let test = try TestVault(hasPIN: true)
        try test.beginSession(withSeed: true)
        let vault = try test.open(.read)
        #expect(test.person.reasons == [])
        let chain = try Chain("polkadot")
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        test.person.pin = try TestVault.secret("wrong one")
        #expect(throws: SignerError.vaultKey(.wrongCredential(attemptsLeft: 9))) { try vault.process(payload) }
        test.person.pin = test.pin
        #expect(try vault.process(Chain.bulk([payload])).requests.count == 1)
        #expect(test.person.reasons == [.seeds, .seeds])
    }

    @Test("only the root of a seed of this vault is taken for one")
    func unknownRoot() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        let derived = try #require(vault.keys().first { $0.details.path == "//polkadot" }).signer.publicKey
        for root in [Person.bob, derived] {
            let payload = try chain.payload(chain.transfer(), derivedFrom: root, path: "//Alice")
            #expect(throws: RefusedPayload.noSeedFound(root: .sr25519(root), seed: nil)) {
                try vault.process(payload)
            }
        }
    }

    @Test(
        "paths that are none, or that the scheme cannot derive, are refused",
        arguments: [
            (1, "Alice", "Codec"), (1, "//Alice///password", "Codec"), (1, "//", "Codec"), (1, "//a\nb", "Codec"),
            (4, "//Alice", "Codec"), (0, "/soft", "InvalidDerivation"), (2, "//hard/soft", "InvalidDerivation"),
        ] as [(UInt8, String, String)])
    func paths(scheme: UInt8, path: String, expected: String) throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        var payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: path)
        payload[1] = scheme
        #expect(try code(payload, vault) == expected)
        if scheme < 4 { #expect(try code(Chain.bulk([payload]), vault) == expected) }
    }

    @Test("a network that is not stored is unknown, also to a derived key")
    func unknownNetwork() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        var chain = try Chain("polkadot")
        chain.specs.genesisHash = try #require(Hash256([UInt8](repeating: 7, count: 32)))
        let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: "//Alice")
        #expect(try code(payload, vault) == "UnknownNetwork")
    }

    @Test("the secret of a key above that left the vault makes the derived key dangerous")
    func exposed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let chain = try Chain("polkadot")
        var key = try vault.deriveKey(
            seed: "demo", path: "//Alice", password: nil, network: chain.specs)
        key.details.secretExposed = true
        let exposed = key
        try vault.database.write { try $0.put(exposed) }
        for (path, holds) in [("//Alice", true), ("//Alice//0", true), ("//Bob", false)] {
            let payload = try chain.payload(chain.transfer(), derivedFrom: DerivationsPayload.root, path: path)
            let answer = try vault.process(payload)
            #expect(answer.risks.contains { $0.rule == .exposedKey } == holds, "\(path)")
        }
    }
}
