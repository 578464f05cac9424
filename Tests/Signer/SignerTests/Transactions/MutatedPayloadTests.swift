import Foundation
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

/// What is shown and what is signed belong together, whatever happens to the bytes of a payload.
@Suite("Mutated payloads")
struct MutatedPayloadTests {
    /// Mutations of each payload.
    private static let mutations = 1_500

    /// Payloads of the signer's known answers, each once.
    private static func captured() throws -> [[UInt8]] {
        guard SharedData.has("signer-wire/uos/scenarios.json") else { return [] }
        var found: Set<[UInt8]> = []
        for name in ["scenarios", "rejects"] {
            let text = String(decoding: try SharedData.bytes("signer-wire/uos/\(name).json"), as: UTF8.self)
            for match in text.matches(of: #/"hex":\s*"(?<hex>[0-9a-f]{20,})"/#) {
                if let payload = Hex.decode(String(match.hex)) { found.insert(payload) }
            }
            for match in text.matches(of: #/"file":\s*"(?<path>[^"]+\.bin)"/#) {
                let path = "signer-wire/uos/\(match.path)"
                if SharedData.has(path) { found.insert(try SharedData.bytes(path)) }
            }
        }
        // What brings metadata is refused by its code.
        return found.filter { $0.count < 20_000 }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private static func own() throws -> [[UInt8]] {
        let (westend, hub) = try (Chain("westend"), Chain("statemint"))
        return try [
            westend.payload(westend.transfer()), westend.payload(westend.remark("a text of several words")),
            westend.payload(westend.batch([westend.transfer(), westend.proxy(for: Person.bob, westend.transfer())])),
            hub.payload(hub.transfer(by: "transfer_all")),
            Chain.bulk([westend.payload(westend.transfer()), hub.payload(hub.transfer())]),
        ]
    }

    /// What a person sees of a transaction: the network and every card of call and extensions.
    private struct Shown: Hashable {
        var genesis: Hash256?
        var lines: [String]

        init?(_ answer: Answer) {
            guard answer.cards.error.isEmpty, answer.call != nil, !answer.cards.method.isEmpty else { return nil }
            genesis = answer.network?.genesisHash
            lines = answer.cards.method.map(\.line)
        }
    }

    @Test("they neither trap nor show something else for the same call, nor the same for another call")
    func mutated() throws {
        let vault = try Vault.lookOnly(NetworkBundle.shipped())
        let snapshot = try vault.database.read { try TreesSnapshot($0) }
        let processor = PayloadProcessor(trees: snapshot, cache: MetadataCache(), phrases: nil)
        var generator = SplitMix64(state: 17)
        var (looked, shown) = (0, 0)
        for payload in try Self.own() + Self.captured() {
            var calls: [Shown: Hash256] = [:]
            var texts: [Hash256: Shown] = [:]
            for round in 0..<Self.mutations {
                let mutated = round == 0 ? payload : mutate(payload, &generator)
                looked += 1
                guard let answer = try? processor.process(mutated) else { continue }
                for member in [answer] + answer.items {
                    guard let seen = Shown(member), let hash = member.callHash else { continue }
                    shown += 1
                    #expect(calls[seen, default: hash] == hash, "two calls look the same: \(Hex.encode(mutated))")
                    #expect(
                        texts[hash]?.genesis != seen.genesis || texts[hash] == seen,
                        "one call looks in two ways: \(Hex.encode(mutated))")
                    calls[seen] = hash
                    texts[hash] = seen
                }
            }
        }
        #expect(looked >= 5 * Self.mutations && shown > Self.mutations / 10, "\(looked) \(shown)")
    }

    /// One to three bytes changed, put in, taken out or moved.
    private func mutate(_ payload: [UInt8], _ generator: inout SplitMix64) -> [UInt8] {
        var payload = payload
        for _ in 0...Int.random(in: 0...2, using: &generator) where !payload.isEmpty {
            let place = Int.random(in: 0..<payload.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: payload[place] = generator.byte()
            case 1: payload[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: payload.insert(generator.byte(), at: place)
            case 3: payload.remove(at: place)
            default: payload.swapAt(place, Int.random(in: 0..<payload.count, using: &generator))
            }
        }
        return payload
    }
}
