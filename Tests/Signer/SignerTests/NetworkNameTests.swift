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
            try #require(Hash256([UInt8](repeating: 7, count: 32))), "copy", "Kusama"
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
        for text in ["westend", westend.genesisHash.hex, "kusama"] {
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
        #expect(throws: SignerError.self) { try vault.network(named: "kusama", forAnyScheme: true) }
    }
}
