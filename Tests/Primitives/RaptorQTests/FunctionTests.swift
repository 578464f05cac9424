import TestSupport
import Testing

@testable import RaptorQ

@Suite("Functions and tables of RFC 6330")
struct FunctionTests {
    static let vectors = Fixture.json("function-vectors")

    @Test("Rand gives the known numbers")
    func rand() {
        let cases = Self.vectors["rand"].array
        #expect(cases.count == 60)
        for entry in cases {
            let value = RandomNumbers.value(
                y: UInt32(entry["y"].number), i: UInt32(entry["i"].number), m: UInt32(entry["m"].number))
            #expect(Int(value) == entry["out"].number)
        }
    }

    @Test("Deg gives the known degrees")
    func degree() {
        let cases = Self.vectors["deg"].array
        #expect(cases.count == 128)
        for entry in cases {
            let degree = LTTuple.degree(UInt32(entry["v"].number), ltSymbols: UInt32(entry["W"].number))
            #expect(Int(degree) == entry["d"].number)
        }
    }

    @Test("tuples and LT rows are the known ones")
    func tuple() throws {
        let cases = Self.vectors["tuple"].array
        #expect(cases.count == 99)
        for entry in cases {
            let parameters = try BlockParameters(sourceSymbolCount: entry["Kprime"].number)
            let id = UInt32(entry["X"].number)
            let t = LTTuple(LTCode(parameters), internalID: id)
            let found = [t.degree, t.step, t.start, t.piDegree, t.piStep, t.piStart].map { Int($0) }
            #expect(found == entry["d_a_b_d1_a1_b1"].numbers)
            #expect(ReferenceCode.columns(parameters, id) == entry["columns"].numbers)
        }
    }

    @Test("every row of the table has the derived constants", .enabled(if: SharedData.has(systematicIndices)))
    func table() throws {
        let text = String(decoding: try SharedData.bytes(systematicIndices), as: UTF8.self)
        let rows = text.split(whereSeparator: \.isNewline).dropFirst().map {
            $0.split(separator: ",").map { Int($0) ?? 0 }
        }
        #expect(rows.count == SystematicIndices.count)
        for row in rows {
            let p = try BlockParameters(sourceSymbolCount: row[0])
            #expect(p.isUnpadded)
            #expect(
                row == [
                    p.extendedSymbolCount, p.systematicIndex, p.ldpcSymbolCount, p.hdpcSymbolCount, p.ltSymbolCount,
                    p.intermediateSymbolCount, p.piSymbolCount, p.piPrime, p.plainSymbolCount, p.plainPISymbolCount,
                ])
        }
    }

    @Test("a block is extended to the next table value")
    func extended() throws {
        for (count, extended) in [(1, 10), (10, 10), (11, 12), (13, 18), (19, 20), (56196, 56403), (56403, 56403)] {
            let parameters = try BlockParameters(sourceSymbolCount: count)
            #expect(parameters.extendedSymbolCount == extended)
            #expect(parameters.isUnpadded == (count == extended))
            #expect(BlockParameters.isTableValue(count) == (count == extended))
        }
        for count in [0, -1, 56404, .max] {
            #expect(throws: RaptorQError.sourceSymbolCount(found: count, maximum: 56403)) {
                try BlockParameters(sourceSymbolCount: count)
            }
            #expect(!BlockParameters.isTableValue(count))
        }
    }

    @Test("octets multiply as in GF(256) with polynomial 0x11D")
    func octets() {
        for a in 0..<256 {
            for b in 0..<256 {
                var (product, shifted) = (0, a)
                for bit in 0..<8 {
                    if b >> bit & 1 == 1 { product ^= shifted }
                    shifted = shifted << 1 ^ (shifted >> 7) * 0x11d
                }
                #expect(Octet.product(UInt8(a), by: UInt8(b)) == UInt8(product))
            }
            if a > 0 { #expect(Octet.product(UInt8(a), by: Octet.inverse(UInt8(a))) == 1) }
        }
    }
}

private let systematicIndices = "raptorq-qr/rfc6330/systematic-indices.csv"
