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

    @Test("an Asset Hub has its relay chain's, and nobody's hash has none")
    func others() throws {
        let hub = "68d56f15f85d3136970ec16946040bc1752654e906147f7e43e9d539d7c3de2f"
        #expect(try #require(Hex.decode(hub).flatMap { Hash256($0) }).knownPrefix == 0)
        #expect(try #require(Hash256([UInt8](repeating: 0, count: 32))).knownPrefix == nil)
    }
}
