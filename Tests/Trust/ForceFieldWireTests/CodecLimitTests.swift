import ForceFieldWire
import Testing

@Suite("FFV1: limits and refusals")
struct CodecLimitTests {
    private func nested(_ depth: Int) -> WireValue {
        (0..<depth).reduce(.nil) { value, _ in .array([value]) }
    }

    @Test("32 values within each other are written and read")
    func depth() throws {
        #expect(try WireValue(ffv1: nested(31).ffv1()) == nested(31))
    }

    @Test("the 33rd value is refused when it is written, as when it is read")
    func tooDeep() throws {
        #expect(throws: CodecError.depthExceeded(offset: 160)) { try nested(32).ffv1() }
        let bytes = (0..<32).flatMap { _ -> [UInt8] in [9, 1, 0, 0, 0] } + [0]
        #expect(throws: CodecError.depthExceeded(offset: 160)) { try WireValue(ffv1: bytes) }
    }

    @Test("a million items are read, one more is refused before it is")
    func items() throws {
        var bytes: [UInt8] = [9, 0x40, 0x42, 0x0f, 0] + Array(repeating: 0, count: 1_000_000)
        #expect(try FFV1.decode([Int?].self, from: bytes).count == 1_000_000)
        bytes[1] = 0x41
        bytes.append(0)
        #expect(throws: CodecError.countExceeded(offset: 0, claimed: 1_000_001)) { try WireValue(ffv1: bytes) }
        let tooMany = WireValue.array(Array(repeating: .nil, count: 1_000_001))
        #expect(throws: CodecError.countExceeded(offset: 0, claimed: 1_000_001)) { try tooMany.ffv1() }
    }

    @Test("items of all arrays count together")
    func itemsTogether() {
        let half = WireValue.array(Array(repeating: .nil, count: 500_000))
        #expect(throws: CodecError.self) { try WireValue.array([half, half]).ffv1() }
    }

    @Test("a key has 1 to 255 bytes, and stands once")
    func keys() throws {
        let long = String(repeating: "k", count: 255)
        #expect(try WireValue(ffv1: WireValue.map([.init(long, .nil)]).ffv1()) == .map([.init(long, .nil)]))
        #expect(throws: CodecError.keyTooLong(offset: 5, count: 256)) { try FFV1.encode([long + "k": 1]) }
        #expect(throws: CodecError.emptyKey(offset: 5)) { try FFV1.encode(["": 1]) }
        #expect(throws: CodecError.keyOrder(offset: 8)) {
            try WireValue.map([.init("a", .nil), .init("a", .nil)]).ffv1()
        }
    }

    @Test("keys that look the same and have other bytes are two keys")
    func canonicallyEqualKeys() throws {
        let value = WireValue.map([.init("e\u{301}", .nil), .init("é", .nil)])
        #expect(try WireValue(ffv1: value.ffv1()) == value)
        #expect(WireValue.string("e\u{301}") != .string("é"))
    }

    @Test("every NaN is written as the canonical one")
    func nan() throws {
        #expect(try FFV1.encode(Double(nan: 5, signaling: false)) == [5, 0, 0, 0, 0, 0, 0, 0xf8, 0x7f])
        #expect(try FFV1.encode(-Float.nan) == [6, 0, 0, 0xc0, 0x7f])
    }

    @Test(
        "UTF-8 is what the standard library takes for it",
        arguments: [
            [0x7f], [0xc2, 0x80], [0xdf, 0xbf], [0xe0, 0xa0, 0x80], [0xed, 0x9f, 0xbf], [0xef, 0xbf, 0xbf],
            [0xf0, 0x90, 0x80, 0x80], [0xf4, 0x8f, 0xbf, 0xbf], [0x80], [0xc1, 0x80], [0xc2], [0xe0, 0x9f, 0x80],
            [0xed, 0xa0, 0x80], [0xf0, 0x8f, 0x80, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80],
            [0xe2, 0x82],
        ] as [[UInt8]])
    func utf8(_ text: [UInt8]) {
        for padding in [0, 7, 8, 9] {
            let bytes = Array(repeating: UInt8(ascii: "x"), count: padding) + text
            let encoding = [7, UInt8(bytes.count), 0, 0, 0] + bytes
            #expect((try? WireValue(ffv1: encoding)) == String(validating: bytes, as: UTF8.self).map { .string($0) })
        }
    }
}
