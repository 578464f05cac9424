import SecretMemory
import Substrate
import TestSupport
import Testing
import TextForms

@testable import Signer

@Suite("Throws of dice and coins")
struct ThrownRandomTests {
    private func thrown(_ text: String, _ kind: ThrownRandom.Kind = .dice) throws -> ThrownRandom {
        var bytes = Array(text.utf8)
        return try ThrownRandom(SecretBytes(movingFrom: &bytes), of: kind)
    }

    private func drawn(_ count: Int, from source: some RandomSource) throws -> [UInt8] {
        try SecretBytes.drawn(count: count, from: source).withUnsafeBytes { Array($0) }
    }

    private static let rolls = String(repeating: "123456", count: 9)

    @Test("blocks are those of another implementation of HMAC-SHA512")
    func knownAnswers() throws {
        #expect(
            try Hex.encode(drawn(96, from: thrown(Self.rolls)))
                == "ba52e9248fb0a930f5ac3e5c9d21b2125a7d1b850ac22466de8e8bfea759a063"
                + "0ad5bb9cdababd74d12e8520ca6cddaca57954a13e8e7985f6dc1874e173c492"
                + "6c3fd8afb4d3ce9a63002c4dfafa53ce7d60cc5de7ead3908c9ae0301eb43889")
        #expect(
            try Hex.encode(drawn(64, from: thrown(String(repeating: "hT", count: 64), .coins)))
                == "16a6c2eb93532ae8ee28492468080dd430a3b33d96c7f47bfdb43ba5ceda2a57"
                + "e0c55ab73fc7823e564a45e657b5cd72dd22867745fb760fd4d38a32b9edce04")
    }

    @Test("blanks count for nothing, and what was thrown for its bits")
    func counted() throws {
        let spaced = try thrown(" " + Self.rolls.map { "\($0) " }.joined())
        #expect(spaced.count == 54 && Int(spaced.bits) == 139)
        #expect(try drawn(64, from: spaced) == drawn(64, from: thrown(Self.rolls)))
        #expect(try thrown(String(repeating: "01", count: 64), .coins).bits == 128)
    }

    @Test("what is no throw is refused by its place, and too few and equal ones by name; no text tells a throw")
    func refusals() throws {
        let cases: [(String, ThrownRandom.Kind, ThrowsFault)] = [
            ("", .dice, .tooFew(.dice, count: 0)), ("   ", .dice, .tooFew(.dice, count: 0)),
            (String(Self.rolls.prefix(49)), .dice, .tooFew(.dice, count: 49)),
            (String(repeating: "01", count: 63) + "0", .coins, .tooFew(.coins, count: 127)),
            (String(repeating: "4", count: 60), .dice, .allEqual(.dice)),
            (Self.rolls + "7", .dice, .noThrow(.dice, place: 55)), ("1 2 0", .dice, .noThrow(.dice, place: 3)),
            ("1\u{0}2", .dice, .noThrow(.dice, place: 2)), ("12\u{e9}", .dice, .noThrow(.dice, place: 3)),
            (String(repeating: "01", count: 64) + "2", .coins, .noThrow(.coins, place: 129)),
        ]
        for (text, kind, fault) in cases {
            #expect(throws: fault) { try thrown(text, kind) }
            #expect(text.count < 3 || !"\(fault)".contains(text))
        }
    }

    @Test("equal throws make different seeds: the machine's sources stay")
    func neverAlone() throws {
        let seeds = try (0..<2).map { _ in
            try drawn(32, from: MixedRandom.standard(with: thrown(Self.rolls)))
        }
        #expect(seeds[0] != seeds[1])
    }

    @Test("with a machine whose sources give the same each time, other throws make another seed")
    func counts() throws {
        struct Worn: RandomSource {
            let name = "A source of the test"
            func fill(_ memory: UnsafeMutableRawBufferPointer) {
                for index in memory.indices { memory[index] = UInt8(truncatingIfNeeded: index &* 37) }
            }
        }
        func seed(_ rolls: String) throws -> [UInt8] { try drawn(32, from: MixedRandom([Worn(), thrown(rolls)])) }
        let other = "2" + Self.rolls.dropFirst()
        #expect(try seed(Self.rolls) == seed(Self.rolls))
        #expect(try seed(Self.rolls) != seed(other))
    }
}
