import Airgap
import SecretMemory
import Substrate
import Testing
import TextForms

@testable import Signer

@Suite("Requests for addresses")
struct ShareDerivationsTests {
    private static let westend = network("e143f23803ac50e8f6f8e62695d1ce9e4e1d68aa36c1cd2cfd15340213f3423e")
    private static let polkadot = network("91b171bb158e2d3848fa23a9f1c25182fb8e20313b2c1eb49219da7a70ce90c3")
    private static let unknown = network(String(repeating: "77", count: 32))

    private static func network(_ hex: String) -> Hash256 { Hash256(Hex.decode(hex) ?? []) ?? Blake2b.hash256([]) }

    private func preview(_ payload: [UInt8], vault: Vault, test: TestVault) throws -> DynamicDerivationsPreview {
        guard case .shareDerivations(let preview) = try vault.process(payload).action else {
            throw SignerError.nothingPending
        }
        return preview
    }

    @Test("the answer lists every key in the order asked, byte for byte as `signer-wire` section 1.9 says")
    func answer() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = DerivationsPayload.request([
            ("//Alice", .sr25519, Self.westend), ("//Bob", .sr25519, Self.unknown), ("", .sr25519, Self.polkadot),
            ("//Alice", .sr25519, Self.polkadot),
        ])
        let answer = try vault.shareDerivations(vault.propose(payload))
        func item(_ path: String, _ key: [UInt8]) -> [UInt8] { Value.text(path) + [0x01, 0x01] + key }
        let root = DerivationsPayload.root
        #expect(
            answer.payload
                == [0x53, 0xff, 0xdf, 0x00, 0x01] + root
                + Value.sequence([
                    item("//Alice", Person.alice), item("//Bob", Person.bob), item("", root),
                    item("//Alice", Person.alice),
                ]))
        #expect(try DynamicDerivationsAnswer(scaleEncoded: Array(answer.payload.dropFirst(3))) == answer)
    }

    @Test("anything that changed since the keys were shown stops the answer, and nothing waits behind either")
    func stale() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = DerivationsPayload.request([("//Alice", .sr25519, Self.westend)])
        let proposal = try vault.propose(payload)
        try vault.addComment("something else")
        #expect(throws: SignerError.checksumMismatch) { try vault.shareDerivations(proposal) }
        #expect(try vault.pendingPayload() == nil)
        _ = try vault.shareDerivations(vault.propose(payload))
        #expect(try vault.pendingPayload() == nil)
    }

    @Test("keys below one whose secret is out are shown as such")
    func exposed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let westend = try vault.network(named: "westend")
        let key = try vault.deriveKey(seed: "demo", path: "//a", password: nil, network: westend)
        _ = try vault.exportSecret(of: key.signer, in: westend.key)
        let payload = DerivationsPayload.request([
            ("//a//b", .sr25519, Self.westend), ("//ab", .sr25519, Self.westend),
        ])
        let keys = try preview(payload, vault: vault, test: test).keys
        #expect(keys.map(\.key.details.secretExposed) == [true, false])
    }

    @Test("as many addresses as a request may have are those of their paths, of two schemes")
    func many() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let wanted = (0..<1_024).map { number in
            ("//many//\(number)", number % 2 == 0 ? SignatureScheme.sr25519 : .ed25519, Self.westend)
        }
        let answer = try preview(DerivationsPayload.request(wanted), vault: vault, test: test).answer
        #expect(answer.keys.map { "\($0.path)" } == wanted.map(\.0))
        let westend = try vault.network(named: "westend")
        for number in [0, 512, 1_022] {
            let key = try vault.deriveKey(seed: "demo", path: wanted[number].0, password: nil, network: westend)
            #expect(answer.keys[number].publicKey == key.signer)
        }
        let more = wanted + [("//one", .sr25519, Self.westend)]
        #expect(throws: RefusedPayload.self) { try vault.process(DerivationsPayload.request(more)) }
    }

    @Test("new keys are stored and logged once, those of unknown networks never")
    func stored() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = DerivationsPayload.request([
            ("//Alice", .sr25519, Self.westend), ("//Alice", .sr25519, Self.polkadot),
            ("//Alice", .sr25519, Self.westend), ("//Bob", .sr25519, Self.unknown),
            ("//westend", .sr25519, Self.westend),
        ])
        let (keys, log) = try (vault.keys(), vault.log().count)
        let first = try preview(payload, vault: vault, test: test)
        #expect(first.seedName == "demo")
        #expect(first.keys.map(\.alreadyExists) == [false, false, false, false, true])
        #expect(first.keys.map { $0.network?.name } == ["westend", "polkadot", "westend", nil, "westend"])
        #expect(try vault.keys() == keys, "a preview stores nothing")
        let answer = try vault.shareDerivations(vault.propose(payload))
        let alice = try #require(vault.keys().first { $0.signer == .sr25519(Person.alice) })
        #expect(alice.details.seedName == "demo" && alice.details.path == "//Alice")
        #expect(alice.details.networks.map(\.genesisHash) == [Self.westend, Self.polkadot])
        #expect(try vault.keys().count == keys.count + 1)
        #expect(try vault.log().count == log + 1)
        #expect(try vault.log().last?.entry.events.map(\.name) == ["IdentityAdded", "IdentityAdded"])
        // Asked again, the answer is the same and nothing changes.
        let before = try vault.state()
        #expect(try vault.shareDerivations(vault.propose(payload)) == answer)
        #expect(try vault.state() == before)
        #expect(
            try preview(payload, vault: vault, test: test).keys.map(\.alreadyExists) == [true, true, true, false, true])
    }

    @Test("without the PIN, and for a root that is not here, nothing is told")
    func refused() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let wanted = [("//Alice", SignatureScheme.sr25519, Self.westend)]
        let foreign = DerivationsPayload.request(wanted, root: Person.bob)
        #expect(throws: RefusedPayload.noSeedFound(root: .sr25519(Person.bob), seed: nil)) {
            try vault.shareDerivations(vault.propose(foreign))
        }
        // Another kind of payload.
        #expect(throws: SignerError.nothingPending) {
            try vault.shareDerivations(vault.propose(TestVault.transfer()))
        }
    }

    @Test(
        "passwords, broken paths and paths that a scheme cannot derive refuse the whole request",
        arguments: [
            ("//Alice///password", SignatureScheme.sr25519, "Codec"), ("Alice", .sr25519, "Codec"),
            ("//Alice/soft", .ed25519, "InvalidDerivation"), ("/soft", .ethereum, "InvalidDerivation"),
        ])
    func paths(path: String, scheme: SignatureScheme, code: String) throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let before = try test.files()
        let payload = DerivationsPayload.request([
            ("//Alice", .sr25519, Self.westend), (path, scheme, Self.westend),
        ])
        do {
            _ = try vault.shareDerivations(vault.propose(payload))
            Issue.record("not refused")
        } catch let error as RefusedPayload {
            #expect(error.code == code)
        }
        #expect(try test.files() == before)
    }

    @Test("a truncated request, and one with bytes behind its end, is refused")
    func malformed() throws {
        let test = try TestVault()
        let vault = try test.withSeed()
        let payload = DerivationsPayload.request([("//Alice", .sr25519, Self.westend)])
        for broken in [payload.dropLast(), payload + [0], Array(payload.prefix(3))] as [[UInt8]] {
            #expect(throws: RefusedPayload.self) { try vault.process(broken) }
        }
    }

    @Test("one secp256k1 key is not stored for an Ethereum network and another at once, and the vault stays whole")
    func sharedKey() throws {
        var bundle = try NetworkBundle.shipped()
        var ecdsa = bundle.networks[0]
        ecdsa.specs.scheme = .ecdsa
        var ethereum = bundle.networks[1]
        ethereum.specs.scheme = .ethereum
        bundle.networks += [ecdsa, ethereum]
        let test = try TestVault(bundle)
        let vault = try test.withSeed()
        let before = try vault.keys()
        let payload = DerivationsPayload.request([
            ("//both", .ecdsa, ecdsa.specs.genesisHash), ("//both", .ethereum, ethereum.specs.genesisHash),
        ])
        #expect(throws: SignerError.keyCollisionBatch(seed: "demo", path: "//both")) {
            try vault.shareDerivations(vault.propose(payload))
        }
        #expect(try vault.keys() == before)
    }
}
