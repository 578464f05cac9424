import Foundation
import MetadataDescriptions
import TestSupport
import Testing

@testable import Substrate

@Suite("Structured arguments of every call")
struct StructuredArgumentTests {
    /// Arguments that a kind is known for, and those among them that could not be read.
    private struct Count {
        var read: [StructuredKind: Int] = [:]
        var unread: [String] = []
    }

    private static func count(_ blob: [UInt8], on network: NetworkSpecs) throws -> Count {
        let decoder = TransactionDecoder(metadata: try RuntimeMetadata(blob), network: network)
        var generator = CallGenerator(try FullMetadata(blob))
        var count = Count()
        for _ in 0..<5 {
            for (name, bytes) in generator.allCalls() {
                guard let call = try? decoder.readCall(bytes),
                    let whole = try? call.expanded(in: bytes, by: decoder)
                else { continue }
                whole.cards.withUnsafeBufferPointer { cards in
                    let tree = CallTree(cards, calls: whole.calls)
                    let reader = ArgumentReader(cards: cards, network: network)
                    for (argument, value) in tree.arguments(of: tree.nodes[0]) {
                        guard case .fieldName(let field) = cards[value.lowerBound - 1].kind,
                            let kind = StructuredKind(typePath: field.type.path)
                        else { continue }
                        if reader.read(value, as: kind) == nil {
                            count.unread.append(
                                "\(name) \(argument) \(cards[value].map { $0.line.drop { $0 == " " } })")
                        } else {
                            count.read[kind, default: 0] += 1
                        }
                    }
                }
            }
        }
        return count
    }

    /// What the chain refuses as well: a vote of a conviction that there is none of; and in version 0 of XCM, gone
    /// since 2022, a way upwards in the middle of a path and assets without an amount.
    private static func isImpossible(_ unread: String) -> Bool {
        unread.contains("field_name: vote") && unread.contains("Standard") || unread.contains("enum_variant_name: V0")
    }

    @Test("every one of the shipped chains is read", arguments: [ShippedChain.polkadot, .kusama, .statemint, .westend])
    func shipped(chain: ShippedChain) throws {
        let count = try Self.count(chain.blob(), on: chain.network)
        #expect(count.unread.filter { !Self.isImpossible($0) } == [])
        #expect(count.read[.location, default: 0] >= 20 && count.read[.program, default: 0] >= 10)
        #expect(count.read[.assets, default: 0] >= 10)
    }

    @Test(
        "every one of other chains is read", .enabled(if: SharedData.has("signer-wire/metadata/index.json")),
        arguments: [
            "signer-wire/metadata/acala2012", "signer-wire/metadata/moonbase1802", "signer-wire/metadata/kusama_v15",
            "signer-wire/metadata/polkadot9220", "signer-wire/metadata/polkadot2003000_v16",
            "signer-wire/metadata/moonbeam_v15", "substrate-crypto/rfc78/metadata/hydradx",
            "substrate-crypto/rfc78/metadata/rococo",
        ])
    func shared(name: String) throws {
        guard SharedData.has("\(name).scale") else { return }
        var network = TestChain.network
        network.base58Prefix = 42
        let count = try Self.count(SharedData.bytes("\(name).scale"), on: network)
        #expect(count.unread.filter { !Self.isImpossible($0) } == [])
        #expect(count.read.values.reduce(0, +) >= 20)
    }
}
