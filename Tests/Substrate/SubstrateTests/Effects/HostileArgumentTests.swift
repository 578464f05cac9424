import TestSupport
import Testing

@testable import Substrate

@Suite("Hostile cards of arguments")
struct HostileArgumentTests {
    private static let kinds: [StructuredKind] = [
        .location, .beneficiary, .locations, .assetID, .assetIDs, .asset, .assets, .program, .transferType, .vote,
        .conviction,
        .approval, .payee,
        .origin, .moment, .callReference,
    ]

    /// Cards that the readers look for, and some that they do not.
    private static let vocabulary = [
        "V0", "V4", "Null", "Here", "X1", "X2", "X8", "Parachain", "AccountId32", "AccountKey20", "GeneralKey",
        "Plurality",
        "GlobalConsensus", "Ethereum", "ByGenesis", "Index", "Voice", "Fungible", "NonFungible", "Concrete", "Abstract",
        "ConcreteFungible", "WithdrawAsset", "Transact", "SetAppendix", "ExportMessage", "Wild", "AllOf", "Standard",
        "Split", "None", "Locked1x", "Account", "At", "Inline", "Lookup", "parents:", "interior:", "network:", "id:",
        "fun:",
        "key:", "index:", "length:", "data:", "part:", "chain_id:", "assets:", "dest:", "xcm:", "call:", "encoded:",
        "vote:",
        "balance:", "aye:", "nay:", "hash:", "#0", "#1", "-", "none", "true", "0", "1", "50", "256", "4294967296",
        "340282366920938463463374607431768211455", "0x", "0xab", LocationTests.key, "*7",
        "@0x\(String(repeating: "11", count: 32))", "Balances.transfer()",
    ]

    private static func readAll(_ cards: [Card]) {
        cards.withUnsafeBufferPointer { buffer in
            let reader = ArgumentReader(cards: buffer, network: KnownNetwork.assetHub)
            for kind in kinds {
                let reading = reader.read(buffer.indices, as: kind)
                #expect((reading?.lines.count ?? 0) <= cards.count)
                _ = reader.read(buffer.indices, as: kind, sentTo: buffer.indices.prefix(buffer.count / 2))
            }
            _ = reader.assets(named: buffer.indices)
        }
    }

    @Test("random cards give a reading or none")
    func random() {
        var random = SplitMix64(state: 17)
        for _ in 0..<4000 {
            var indent = 0
            let cards = (0..<Int(random.next() % 24)).flatMap { _ -> [Card] in
                indent = max(-1, indent + Int(random.next() % 4) - 1)
                let text = Self.vocabulary[Int(random.next() % UInt64(Self.vocabulary.count))]
                return CardText.cards(text).map { Card(indent: $0.indent + indent, kind: $0.kind) }
            }
            Self.readAll(cards)
        }
    }

    @Test("every truncation, every card left out and every card doubled of real arguments gives a reading or none")
    func mauled() {
        let texts = [
            LocationTests.location(1, LocationTests.account()),
            "Standard\n  vote:\n    131\n  balance:\n    *1",
            "V4\n  WithdrawAsset\n    \(AssetTests.asset(parents: 1, interior: "Here", amount: "5").replacing("\n", with: "\n    "))\n  ClearOrigin",
        ]
        for text in texts {
            let cards = CardText.cards(text)
            for index in cards.indices {
                Self.readAll(Array(cards[..<index]))
                var fewer = cards
                fewer.remove(at: index)
                Self.readAll(fewer)
                Self.readAll(Array(cards[...index]) + Array(cards[index...]))
                let shifted = cards[index...].map { Card(indent: $0.indent + 1, kind: $0.kind) }
                Self.readAll(Array(cards[..<index]) + shifted)
            }
        }
    }

    @Test("ranges beyond the cards are read as far as there are cards")
    func ranges() {
        CardText.cards("true").withUnsafeBufferPointer { cards in
            let reader = ArgumentReader(cards: cards, network: KnownNetwork.assetHub)
            #expect(reader.read(0..<9, as: .approval)?.lines.count == 1)
            #expect(reader.read(5..<9, as: .approval) == nil)
        }
    }

    @Test("a program of twenty thousand cards is read in one pass")
    func large() {
        let cards =
            [Card(indent: 0, kind: .enumVariantName(name: "V4", docs: .empty))]
            + Array(
                repeating: Card(indent: 1, kind: .enumVariantName(name: "ClearOrigin", docs: .empty)), count: 20_000)
        cards.withUnsafeBufferPointer { buffer in
            let reader = ArgumentReader(cards: buffer, network: KnownNetwork.assetHub)
            #expect(reader.read(buffer.indices, as: .program)?.lines.count == 20_000)
        }
    }

    @Test("names that metadata give are words, and text that somebody chose is text")
    func outsideText() throws {
        let cards =
            CardText.cards("V4\n  Novelty\n    remark:")
            + [Card(indent: 3, kind: .text("5 DOT (yours)")), Card(indent: 3, kind: .default("я"))]
        let reading = try #require(
            cards.withUnsafeBufferPointer {
                ArgumentReader(cards: $0, network: KnownNetwork.assetHub).read($0.indices, as: .program)
            })
        #expect(reading.lines[0].contains(.text("5 DOT (yours)")) && reading.lines[0].contains(.text("я")))
    }
}
