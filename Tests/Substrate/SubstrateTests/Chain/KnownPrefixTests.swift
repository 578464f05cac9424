import TestSupport
import Testing
import TextForms

@testable import Substrate

@Suite("Prefixes of chains that this release knows")
struct KnownPrefixTests {
    private static let registry = "substrate-crypto/ss58_registry.json"

    @Test("are those of the registry of SS58", .enabled(if: SharedData.has(registry)))
    func registered() throws {
        var prefixes: [String: Int] = [:]
        for row in try SharedData.json(Self.registry)["registry"].array {
            prefixes[try #require(row["network"].string)] = row["prefix"].int
        }
        // Westend has no entry of its own: it uses the generic one.
        for (relay, name) in [(KnownChain.Relay.polkadot, "polkadot"), (.kusama, "kusama"), (.westend, "substrate")] {
            let genesis = try #require(Hex.decode(relay.genesis).flatMap { Hash256($0) })
            #expect(genesis.knownPrefix.map(Int.init) == prefixes[name], "\(name)")
        }
    }

    @Test("a system parachain has its relay chain's, one with a prefix of its own and nobody's hash have none")
    func others() throws {
        for (genesis, prefix) in [
            ("68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f", 0),
            ("67fa177a097bfa18f77ea95ab56e9bcdfeb0e5b8a40e46298bb93e16b6fc5008", 0),
            ("638cd2b9af4b3bb54b8c1f0d22711fc89924ca93300f0caf25a580432b29d050", 2),
            ("afdc188f45c71dacbaa0b62e16a91f726c7b8699a9748cdf715459de6b7f366d", nil),
        ] as [(String, UInt16?)] {
            #expect(try #require(Hex.decode(genesis).flatMap { Hash256($0) }).knownPrefix == prefix)
        }
        #expect(try #require(Hash256([UInt8](repeating: 0, count: 32))).knownPrefix == nil)
    }
}
