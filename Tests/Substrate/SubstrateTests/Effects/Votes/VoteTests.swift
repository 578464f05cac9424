import TestSupport
import Testing

@testable import Substrate

@Suite("Votes in words")
struct VoteTests {
    private static func text(_ cards: String, as kind: StructuredKind) -> [String]? {
        ReadCards.read(cards, as: kind)?.text(on: KnownNetwork.assetHub)
    }

    @Test(
        "a vote says its side, its conviction and its amount",
        arguments: [
            (131, "aye, conviction 3x, 1.0000000000000 kDOT"), (3, "nay, conviction 3x, 1.0000000000000 kDOT"),
            (128, "aye, conviction 0.1x, no lock, 1.0000000000000 kDOT"),
            (6, "nay, conviction 6x, 1.0000000000000 kDOT"),
        ])
    func standard(byte: Int, text: String) {
        let cards = "Standard\n  vote:\n    \(byte)\n  balance:\n    *10000000000000"
        #expect(Self.text(cards, as: .vote) == [text])
        // As metadata 12 and 13 have it.
        #expect(Self.text("vote:\n  \(byte)\nbalance:\n  *10000000000000", as: .vote) == [text])
    }

    @Test("votes for several sides say each")
    func split() {
        let split = "aye:\n    *10000000000\n  nay:\n    *20000000000"
        #expect(
            Self.text("Split\n  \(split)", as: .vote) == ["aye with 1.0000000000 DOT, nay with 2.0000000000 DOT"])
        #expect(
            Self.text("SplitAbstain\n  \(split)\n  abstain:\n    *0", as: .vote)
                == ["aye with 1.0000000000 DOT, nay with 2.0000000000 DOT, abstain with 0.0 nDOT"])
    }

    @Test("a vote that is none is not read")
    func refusals() {
        for byte in ["7", "135", "256", "true"] {
            #expect(Self.text("Standard\n  vote:\n    \(byte)\n  balance:\n    *1", as: .vote) == nil)
        }
        #expect(Self.text("Standard\n  vote:\n    131", as: .vote) == nil)
        #expect(Self.text("Split\n  aye:\n    *1", as: .vote) == nil)
        #expect(Self.text("Novelty", as: .conviction) == nil && Self.text("1", as: .approval) == nil)
    }

    @Test(
        "what governance and staking ask for",
        arguments: [
            ("None", .conviction, "conviction 0.1x, no lock"), ("Locked6x", .conviction, "conviction 6x"),
            ("true", .approval, "aye"), ("false", .approval, "nay"),
            ("Staked", .payee, "to the stash, and staked at once"), ("None", .payee, "to nobody"),
            ("At\n  100", .moment, "at block 100"), ("After\n  7", .moment, "after 7 blocks"),
            ("system\n  Root", .origin, "system.Root"), ("Origins\n  BigSpender", .origin, "Origins.BigSpender"),
            ("Lookup\n  hash:\n    0xabcd\n  len:\n    9", .callReference, "the call with the hash 0xabcd"),
            ("Inline\n  0x0000\n    System.remark()", .callReference, "the call System.remark, shown by itself"),
            ("Inline\n  0x0000", .callReference, "a call that cannot be shown, 2 bytes: 0x0000"),
        ] as [(String, StructuredKind, String)])
    func others(cards: String, kind: StructuredKind, text: String) {
        #expect(Self.text(cards, as: kind) == [text])
    }

    @Test("accounts that rewards go to or that an origin is are told")
    func accounts() throws {
        let account = "@0x\(String(repeating: "11", count: 32))"
        for (cards, kind) in [("Account\n  \(account)", .payee), ("system\n  Signed\n    \(account)", .origin)]
            as [(String, StructuredKind)]
        {
            let reading = try #require(ReadCards.read(cards, as: kind))
            #expect(reading.accounts.map(\.words) == ["on this chain"])
            #expect(reading.accounts[0].account?.accountID == [UInt8](repeating: 0x11, count: 32))
        }
    }

    @Test("a call that is looked up, or cannot be decoded, is hidden")
    func hidden() {
        #expect(ReadCards.read("Lookup\n  hash:\n    0xab\n  len:\n    9", as: .callReference)?.hidesCall == true)
        #expect(ReadCards.read("Inline\n  0x0000", as: .callReference)?.hidesCall == true)
        #expect(ReadCards.read("Inline\n  0x0000\n    System.remark()", as: .callReference)?.hidesCall == false)
    }
}
