import Substrate
import Testing

@testable import Signer

/// Two networks of one genesis for keys of different schemes, and a third that took the name of another.
@Suite("Networks by name")
struct NetworkNameTests {
    private let vault: Vault
    private let westend: NetworkSpecs
    private let edwards: NetworkSpecs
    private let copy: NetworkSpecs

    init() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        westend = try #require(bundle.networks.map(\.specs).first { $0.name == "westend" })
        var edwards = westend
        (edwards.scheme, edwards.title) = (.ed25519, "Westend of Edwards")
        var copy = westend
        (copy.genesisHash, copy.name, copy.title) = (
            try #require(Hash256([UInt8](repeating: 7, count: 32))), "copy", "Polkadot Asset Hub"
        )
        bundle.networks += [edwards, copy].map { NetworkBundle.Network(specs: $0, metadata: []) }
        vault = try Vault.lookOnly(bundle)
        (self.edwards, self.copy) = (edwards, copy)
    }

    @Test("are found by whatever is theirs alone")
    func found() throws {
        let genesis = westend.genesisHash.hex
        for (text, network) in [
            ("Westend of Edwards", edwards), ("copy", copy), ("0x" + copy.genesisHash.hex, copy),
            ("0x\(genesis)/sr25519", westend), ("\(genesis)/ED25519", edwards),
        ] {
            #expect(try vault.network(named: text) == network, "\(text)")
        }
        for text in ["", "0x\(genesis)/ecdsa", "/sr25519", "west"] {
            #expect(throws: SignerError.networkNotFound(text)) { try vault.network(named: text) }
        }
    }

    @Test("are not guessed where several are called so; the ways to say which are told, and work")
    func ambiguous() throws {
        for text in ["westend", westend.genesisHash.hex, "polkadot asset hub"] {
            let error = #expect(throws: SignerError.self) { try vault.network(named: text) }
            guard case .networkAmbiguous(text, let networks)? = error else {
                Issue.record("\(text): \(String(describing: error))")
                continue
            }
            #expect(networks.count == 2)
            #expect(try "\(#require(error))".contains(networks[1]))
            #expect(Set(try networks.map { try vault.network(named: $0).key }).count == 2)
        }
    }

    @Test("for what regards all schemes of keys one will do, of one genesis only")
    func anyScheme() throws {
        #expect(try vault.network(named: "westend", forAnyScheme: true).genesisHash == westend.genesisHash)
        #expect(throws: SignerError.self) { try vault.network(named: "Polkadot Asset Hub", forAnyScheme: true) }
    }

    @Test("are found by their names, also where another has taken such a title")
    func names() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        var copy = westend
        (copy.genesisHash, copy.name) = (self.copy.genesisHash, "westendb")
        for title in ["Westend", "westend"] {
            copy.title = title
            bundle.networks = [copy, westend].map { NetworkBundle.Network(specs: $0, metadata: []) }
            let vault = try Vault.lookOnly(bundle)
            #expect(try vault.network(named: "westend") == westend && vault.network(named: "Westend") == westend)
            #expect(try vault.network(named: "westendb") == copy)
        }
    }

    @Test("are found by their genesis, also where another is called by it")
    func genesisAsName() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        var copy = westend
        let genesis = westend.genesisHash.hex
        for (name, title) in [(genesis, "Other"), ("other", genesis), ("other", "0x\(genesis)/sr25519")] {
            (copy.genesisHash, copy.name, copy.title) = (self.copy.genesisHash, name, title)
            bundle.networks = [copy, westend].map { NetworkBundle.Network(specs: $0, metadata: []) }
            let vault = try Vault.lookOnly(bundle)
            for text in [genesis, "0x" + genesis, genesis.uppercased(), "\(genesis)/sr25519"] {
                #expect(try vault.network(named: text) == westend)
            }
        }
    }

    @Test("that a release knows do not look alike")
    func shipped() throws {
        let networks = try NetworkBundle.shipped(metadataOf: { _ in false }).networks.map(\.specs)
        for network in networks { #expect(!networks.contains(where: network.looksLike), "\(network.title)") }
    }

    @Test("look alike where title or name of one could be the other's, whatever letters and blanks they are made of")
    func lookalikes() throws {
        var hub = westend
        (hub.genesisHash, hub.name, hub.title) = (copy.genesisHash, "statemint", "Polkadot Asset Hub")
        func like(_ title: String, name: String = "other") -> NetworkSpecs {
            var other = copy
            other.genesisHash = Hash256(unchecked: [UInt8](repeating: 8, count: 32))
            (other.title, other.name) = (title, name)
            return other
        }
        for title in [
            "Polkadot Asset Hub", "polkadot asset hub", "PolkadotAsset Hub ", "Ｐolkadot Asset Hub",
            "Po1kadot Asset Hub", "Statemint", "Polkadot-Asset-Hub.", "Polkɑdot Asset Hub", "Polkaclot Asset Hub",
            "Staternint", "ꓑꓳꓡꓗꓮꓓꓳꓔ ꓮꓢꓢꓰꓔ ꓧꓴꓐ", "ꓢꓔꓮꓔꓰꓟꓲꓠꓔ",
        ] {
            #expect(hub.looksLike(like(title)) && like(title).looksLike(hub), "\(title)")
            #expect(hub.title(among: [hub, like(title)]) == "Polkadot Asset Hub (statemint)")
        }
        #expect(hub.looksLike(like("Other", name: "statemint")))
        #expect(!hub.looksLike(like("Polkadot Asset Hubs")) && hub.title(among: [hub, like("Other")]) == hub.title)
        // Records of one network for several schemes are one network.
        #expect(!westend.looksLike(edwards) && !westend.looksLike(westend))
    }

    @Test("that look alike, in a vault of before, are told apart where something is to be signed")
    func answers() throws {
        var bundle = try NetworkBundle.shipped(metadataOf: { _ in false })
        var twin = westend
        (twin.genesisHash, twin.name) = (copy.genesisHash, "westendb")
        let signer = MultiSigner.sr25519([UInt8](repeating: 1, count: 32))
        let text = [0x53, 1, 3] + signer.publicKey + Array("<Bytes>hello</Bytes>".utf8)
        for networks in [[westend], [westend, twin]] {
            bundle.networks = networks.map { NetworkBundle.Network(specs: $0, metadata: []) }
            let vault = try Vault.lookOnly(bundle)
            let answer = try vault.process(text + westend.genesisHash.bytes)
            #expect(answer.network == westend && answer.isNetworkLookalike == (networks.count == 2))
        }
    }
}
