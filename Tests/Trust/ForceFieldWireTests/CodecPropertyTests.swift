@_spi(Fuzzing) import ForceFieldWire
import TestSupport
import Testing

@Suite("FFV1: properties")
struct CodecPropertyTests {
    /// A random value with at most `depth` containers within each other.
    private func value(_ random: inout SplitMix64, depth: Int) -> WireValue {
        switch UInt8.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
        case 0: return .nil
        case 1: return .bool(.random(using: &random))
        case 2: return .int(Int64(bitPattern: random.next()))
        case 3: return .uint(random.next())
        case 4: return .double(Double(bitPattern: random.next()))
        case 5: return .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
        case 6: return .string(text(&random))
        case 7: return .bytes((0..<Int.random(in: 0..<40, using: &random)).map { _ in random.byte() })
        case 8: return .array((0..<Int.random(in: 0..<6, using: &random)).map { _ in value(&random, depth: depth - 1) })
        default:
            var entries: [WireValue.Entry] = []
            for index in 0..<Int.random(in: 0..<6, using: &random) {
                entries.append(
                    .init("\(random.byte())-\(index)" + text(&random).prefix(9), value(&random, depth: depth - 1)))
            }
            return .map(entries)
        }
    }

    private func text(_ random: inout SplitMix64) -> String {
        let scalars = (0..<Int.random(in: 0..<12, using: &random)).compactMap { _ in
            Unicode.Scalar(
                UInt32.random(in: 0..<0x11_0000, using: &random) >> UInt32.random(in: 0..<21, using: &random))
        }
        return String(String.UnicodeScalarView(scalars))
    }

    @Test("any value is read as it was written, and written as it was read")
    func roundTrip() throws {
        var random = SplitMix64(state: 1)
        for _ in 0..<3_000 {
            let value = value(&random, depth: 5)
            let bytes = try value.ffv1()
            #expect(try WireValue(ffv1: bytes) == value)
            #expect(try WireValue(ffv1: bytes).ffv1() == bytes)
        }
    }

    @Test("an encoding that is cut anywhere is refused")
    func cut() throws {
        var random = SplitMix64(state: 2)
        for _ in 0..<200 {
            let bytes = try value(&random, depth: 4).ffv1()
            for end in 0..<bytes.count {
                #expect(throws: CodecError.self) { try WireValue(ffv1: Array(bytes[..<end])) }
            }
        }
    }

    @Test("changed bytes are refused, or are the one encoding of what they say; types never trap on them")
    func changed() throws {
        var random = SplitMix64(state: 3)
        for _ in 0..<20_000 {
            var bytes = try value(&random, depth: 3).ffv1()
            for _ in 0..<Int.random(in: 1..<4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0..<16, using: &random)
            }
            #expect(OutsideWireBytes.value(bytes))
            OutsideWireBytes.decoded(bytes)
        }
    }

    @Test("random bytes never trap the codec")
    func random() {
        var random = SplitMix64(state: 4)
        for _ in 0..<50_000 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                Bool.random(using: &random) ? random.byte() : UInt8.random(in: 0..<12, using: &random)
            }
            #expect(OutsideWireBytes.value(bytes))
            OutsideWireBytes.decoded(bytes)
        }
    }
}
