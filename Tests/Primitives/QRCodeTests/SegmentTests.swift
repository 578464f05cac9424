import TestSupport
import Testing

@testable import QRCode

@Suite("Segments of a QR code")
struct SegmentTests {
    private let small = QRVersion.all[0]

    /// Bits written as text, blanks ignored, filled up with zeros.
    private func content(_ bits: String) throws(QRDecodingError) -> SymbolContent {
        var buffer = BitBuffer()
        for bit in bits where bit != " " { buffer.append(bit == "1" ? 1 : 0, count: 1) }
        return try SymbolContent(buffer.bytes, small)
    }

    private func fault(_ bits: String) -> QRDecodingError? {
        do throws(QRDecodingError) {
            _ = try content(bits)
            return nil
        } catch {
            return error
        }
    }

    @Test("the standard's examples: 01234567, AC-42 and two kanji")
    func examples() throws {
        #expect(try content("0001 0000001000 0000001100 0101011001 1000011").bytes == Array("01234567".utf8))
        #expect(try content("0010 000000101 00111001110 11100111001 000010").bytes == Array("AC-42".utf8))
        #expect(
            try content("1000 00000010 0110110011111 1101010101010 0000").bytes == [0x93, 0x5f, 0xe4, 0xaa])
    }

    @Test("bytes are verbatim, and several segments follow each other")
    func mixed() throws {
        let mixed = try content("0100 00000011 11111111 00000000 10000000 0001 0000000001 0111 0000")
        #expect(mixed.bytes == [0xff, 0x00, 0x80, UInt8(ascii: "7")])
        #expect(mixed.extendedChannels.isEmpty && mixed.structuredAppend == nil && mixed.functionOne == nil)
    }

    @Test("character sets are recorded and change nothing")
    func extendedChannels() throws {
        let content = try content(
            "0111 00011010 0111 10000100 00000000 0111 11000000 11111111 11111111 0100 00000001 11100100 0000")
        #expect(content.extendedChannels == [26, 1024, 65535] && content.bytes == [0xe4])
    }

    @Test("a part of several codes says which")
    func structuredAppend() throws {
        let content = try content("0011 0010 0110 10101010 0100 00000001 00000001 0000")
        #expect(content.structuredAppend == .init(index: 2, count: 7, parity: 0xaa) && content.bytes == [1])
    }

    @Test("with FNC1 a percent sign separates, and two are one")
    func functionOne() throws {
        // A%, %A, %%
        let letters = "0010 000000110 00111101000 11010111000 11011010100"
        #expect(try content("0101 \(letters) 0000").functionOne == .first)
        #expect(try content("0101 \(letters) 0000").bytes == Array("A%A%".utf8))
        #expect(try content("0101 0010 000000011 00111101000 001010 0000").bytes == Array("A\u{1d}A".utf8))
        let second = try content("1001 01100100 \(letters) 0000")
        #expect(second.functionOne == .second(application: 100))
        #expect(try content("\(letters) 0000").bytes == Array("A%%A%%".utf8))
    }

    @Test("malformed segments are refused with their place")
    func refusals() {
        #expect(fault("0000") == .segment(.missing, bit: 0))
        #expect(fault("") == .segment(.missing, bit: 0))
        #expect(fault("1101 0000") == .segment(.mode(13), bit: 0))
        #expect(fault("0100 00000011 11111111") == .segment(.cut, bit: 12))
        #expect(fault("0001 0000000011 1111111111") == .segment(.value(1023), bit: 14))
        #expect(fault("0001 0000000001 1010") == .segment(.value(10), bit: 14))
        #expect(fault("0010 000000010 11111111111") == .segment(.value(2047), bit: 13))
        #expect(fault("0010 000000001 101101") == .segment(.value(45), bit: 13))
        #expect(fault("0111 11100000 00000000 00000000") == .segment(.value(0xe0), bit: 4))
        #expect(fault("0001 1111111111 0000000000") == .segment(.cut, bit: 24))
    }

    @Test("any bytes are read or refused", arguments: 0..<50)
    func anyBytes(seed: Int) {
        var random = SplitMix64(state: UInt64(seed))
        for version in [1, 10, 27].compactMap(QRVersion.init) {
            for count in 0..<60 { _ = try? SymbolContent((0..<count).map { _ in random.byte() }, version) }
        }
    }
}
