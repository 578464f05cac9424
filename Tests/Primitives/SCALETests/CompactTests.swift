import SCALE
import Testing

@Suite("Compact integers")
struct CompactTests {
    @Test(
        "the encodings of the SCALE documentation",
        arguments: [
            (0, [0x00]), (1, [0x04]), (42, [0xa8]), (69, [0x15, 0x01]),
            (65535, [0xfe, 0xff, 0x03, 0x00]),
            (100_000_000_000_000, [0x0b, 0x00, 0x40, 0x7a, 0x10, 0xf3, 0x5a]),
        ] as [(UInt128, [UInt8])])
    func knownAnswers(value: UInt128, encoding: [UInt8]) throws {
        var encoder = ScaleEncoder()
        encoder.compact(value)
        #expect(encoder.bytes == encoding)
        var decoder = ScaleDecoder(encoding)
        #expect(try decoder.compact(bits: 128) == value)
        #expect(decoder.isAtEnd)
    }

    @Test(
        "a form that is not the shortest is refused",
        arguments: [
            [0x01, 0x00], [0xfe, 0xff, 0x00, 0x00], [0x03, 0xff, 0xff, 0xff, 0x3f], [0x07, 0, 0, 0, 0, 0],
        ] as [[UInt8]])
    func nonCanonical(encoding: [UInt8]) {
        var decoder = ScaleDecoder(encoding)
        #expect(throws: ScaleError.malformedCompact(offset: 0, reason: .notShortest)) {
            try decoder.compact(bits: 128)
        }
    }

    @Test("a value wider than asked for is refused")
    func tooWide() {
        var decoder = ScaleDecoder([0x01, 0x08])
        #expect(throws: ScaleError.malformedCompact(offset: 0, reason: .tooWide)) { try decoder.compact(bits: 8) }
    }

    @Test("a count beyond the remaining bytes is refused before anything is allocated")
    func hugeCount() {
        var decoder = ScaleDecoder([0x03, 0xff, 0xff, 0xff, 0xff])
        #expect(throws: ScaleError.lengthExceedsInput(offset: 0, claimed: 0xffff_ffff, available: 0)) {
            try decoder.byteSequence()
        }
    }
}
