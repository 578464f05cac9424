import SCALE
import Testing

@Suite("SCALE values")
struct CodecTests {
    @Test("integers of every width come back as they were written")
    func integers() throws {
        func roundTrip<T: FixedWidthInteger & Equatable>(_ type: T.Type) throws {
            for value in [T.min, T.max, 0, 1, T.max / 3] {
                var encoder = ScaleEncoder()
                encoder.integer(value)
                #expect(encoder.bytes.count == T.bitWidth / 8)
                var decoder = ScaleDecoder(encoder.bytes)
                #expect(try decoder.integer(T.self) == value)
                try decoder.finish()
            }
        }
        try roundTrip(UInt8.self)
        try roundTrip(UInt16.self)
        try roundTrip(UInt32.self)
        try roundTrip(UInt64.self)
        try roundTrip(UInt128.self)
        try roundTrip(Int8.self)
        try roundTrip(Int64.self)
        try roundTrip(Int128.self)
    }

    @Test("integers are little-endian")
    func littleEndian() throws {
        var decoder = ScaleDecoder([0x32, 0x23, 0, 0, 0xfe, 0xff])
        #expect(try decoder.uint32() == 9010)
        #expect(try decoder.integer(Int16.self) == -2)
    }

    @Test("compact integers come back as they were written, at every length")
    func compacts() throws {
        for shift in 0..<128 {
            for value in [(1 as UInt128) << shift, ((1 as UInt128) << shift) - 1, ((1 as UInt128) << shift) | 1] {
                var encoder = ScaleEncoder()
                encoder.compact(value)
                var decoder = ScaleDecoder(encoder.bytes)
                #expect(try decoder.compact(bits: 128) == value)
                try decoder.finish()
                var narrow = ScaleDecoder(encoder.bytes)
                #expect((try? narrow.compact32()) == UInt32(exactly: value))
                for end in encoder.bytes.indices {
                    var cut = ScaleDecoder(Array(encoder.bytes[..<end]))
                    #expect(throws: ScaleError.malformedCompact(offset: 0, reason: .truncated)) {
                        try cut.compact(bits: 128)
                    }
                }
            }
        }
    }

    @Test("a compact integer that decodes is the only encoding of its value")
    func canonical() throws {
        var state: UInt64 = 5
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: state >> (8 * $0)) }
            for bits in [8, 16, 32, 64, 128] {
                var decoder = ScaleDecoder(bytes)
                guard let value = try? decoder.compact(bits: bits) else { continue }
                var encoder = ScaleEncoder()
                encoder.compact(value)
                #expect(encoder.bytes[...] == bytes[..<decoder.position])
                #expect(bits == 128 || value >> bits == 0)
            }
        }
    }

    @Test("strings, sequences and options come back as they were written")
    func composites() throws {
        var encoder = ScaleEncoder()
        encoder.string("naïve 漢")
        encoder.sequence([1, 2, 3] as [UInt16]) { $0.integer($1) }
        encoder.option(7 as UInt8?) { $0.integer($1) }
        encoder.option(nil as UInt8?) { $0.integer($1) }
        encoder.bool(true)
        var decoder = ScaleDecoder(encoder.bytes)
        #expect(try decoder.string() == "naïve 漢")
        let items = try decoder.sequence(minimumItemSize: 2) { decoder throws(ScaleError) in try decoder.uint16() }
        #expect(items == [1, 2, 3])
        let some = try decoder.option { decoder throws(ScaleError) in try decoder.uint8() }
        let none = try decoder.option { decoder throws(ScaleError) in try decoder.uint8() }
        #expect(some == 7 && none == nil)
        #expect(try decoder.bool())
        try decoder.finish()
    }

    @Test("what is no encoding is refused with the place where it stands")
    func refusals() {
        var decoder = ScaleDecoder([9, 2])
        #expect(throws: ScaleError.invalidBool(offset: 0, found: 9)) { try decoder.bool() }
        #expect(throws: ScaleError.invalidOption(offset: 1, found: 2)) {
            try decoder.option { decoder throws(ScaleError) in try decoder.uint8() }
        }
        #expect(throws: ScaleError.dataTooShort(offset: 2, needed: 4, available: 0)) { try decoder.uint32() }
        var text = ScaleDecoder([8, 0xc3, 0x28])
        #expect(throws: ScaleError.invalidUTF8(offset: 0)) { try text.string() }
        var character = ScaleDecoder([0, 0xd8, 0, 0])
        #expect(throws: ScaleError.invalidCharacter(offset: 0, found: 0xd800)) { try character.character() }
        var rest = ScaleDecoder([1, 2], in: 1..<9)
        #expect(throws: ScaleError.trailingBytes(offset: 1, count: 1)) { try rest.finish() }
        #expect(throws: ScaleError.dataTooShort(offset: 1, needed: -1, available: 1)) { try rest.range(-1) }
    }

    @Test("a count is checked against the bytes that are left")
    func counts() throws {
        var decoder = ScaleDecoder([0x0c, 1, 2])
        #expect(throws: ScaleError.lengthExceedsInput(offset: 0, claimed: 3, available: 2)) { try decoder.count() }
        var free = ScaleDecoder([0x0c])
        #expect(try free.count(minimumItemSize: 0) == 3)
    }
}
