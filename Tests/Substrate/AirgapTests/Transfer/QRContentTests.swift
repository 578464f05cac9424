import Airgap
import RaptorQ
import Testing

@Suite("The content of one QR symbol")
struct QRContentTests {
    @Test(
        "bytes that start a payload are the payload, also short ones",
        arguments: [[0x53, 1, 2], [0], [0xff, 1], [0, 0, 0, 0]] as [[UInt8]])
    func payload(bytes: [UInt8]) throws {
        #expect(try QRContent(bytes) == .payload(bytes))
    }

    @Test("a numbered piece has its count, its number and its data")
    func legacy() throws {
        #expect(try QRContent([0, 1, 2, 0, 3, 0x53]) == .legacyFrame(index: 3, count: 258, data: [0x53]))
        #expect(try QRContent([0, 0, 1, 0, 0]) == .legacyFrame(index: 0, count: 1, data: []))
    }

    @Test("a fountain frame has size, block, number and symbol, and writes as it was read")
    func fountain() throws {
        let bytes: [UInt8] = [0x80, 0, 0x10, 1, 2, 0, 1, 0xff, 0x53]
        let frame = FountainFrame(payloadSize: 4097, id: try PayloadID(block: 2, symbol: 0x1ff), symbol: [0x53])
        #expect(try QRContent(bytes) == .fountainFrame(frame))
        #expect(frame.bytes == bytes)
    }

    @Test(
        "a fountain frame without a symbol, or of nothing, is malformed",
        arguments: [
            [0x80, 0, 0, 1, 0], [0x80, 0, 0, 1, 0, 0, 0, 0], [0x80, 0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func malformed(bytes: [UInt8]) {
        let error = #expect(throws: TransferError.self) { try QRContent(bytes) }
        #expect(error?.code == "MalformedFrame")
    }

    @Test("code words are taken apart by the length that fits")
    func codewords() {
        #expect(RawCodewords.content(hex: "40001ab") == [0xab])
        #expect(RawCodewords.content(hex: "401abf") == [0xab])
        #expect(RawCodewords.content(hex: "40005aabb") == [])
        for text in ["", "4", "30001ab", "4zz", "4ffff00", "4-001", "4+001ab", "400010x", "40001a\u{301}b"] {
            #expect(RawCodewords.content(hex: text) == nil, "\(text)")
        }
        let characters = Array("0124af+-xz")
        var longest = 0
        for number in 0..<100_000 {
            var (rest, text) = (number, "4")
            for _ in 0..<5 {
                text.append(characters[rest % 10])
                rest /= 10
            }
            longest = max(longest, RawCodewords.content(hex: text)?.count ?? 0)
        }
        #expect(longest == 1)
    }
}
