import TestSupport
import Testing
import WebSocketFrames

@Suite("WebSocket: frames")
struct FrameTests {
    @Test(
        "lengths are written in their shortest form",
        arguments: [
            (0, [0x82, 0]), (125, [0x82, 125]), (126, [0x82, 126, 0, 126]), (0xffff, [0x82, 126, 0xff, 0xff]),
            (0x1_0000, [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
            (.max, [0x82, 127, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ] as [(Int, [UInt8])])
    func lengths(count: Int, header: [UInt8]) {
        var bytes: [UInt8] = []
        FrameHeader(.binary, count: count).append(to: &bytes)
        #expect(bytes == header)
        bytes = []
        FrameHeader(.binary, count: count, maskingKey: MaskingKey(0x0102_0304)).append(to: &bytes)
        #expect(bytes == [header[0], header[1] | 0x80] + header.dropFirst(2) + [1, 2, 3, 4])
    }

    @Test("masking is that of RFC 6455 section 5.3, at every length and position")
    func masking() {
        var random = SplitMix64(state: 3)
        for count in 0..<100 {
            for position in 0..<5 {
                let key = UInt32(truncatingIfNeeded: random.next())
                let bytes = (0..<count).map { _ in random.byte() }
                let expected = bytes.enumerated().map {
                    $1 ^ UInt8(truncatingIfNeeded: key >> (24 - 8 * (($0 + position) % 4)))
                }
                var masked = bytes
                masked.withUnsafeMutableBytes { MaskingKey(key).apply(to: $0, from: position) }
                #expect(masked == expected)
            }
        }
    }

    @Test("a close reason is cut at a character so that the frame fits")
    func closeReasons() throws {
        let long = ClosePayload(.normal, reason: String(repeating: "é", count: 100))
        #expect(long.bytes.count == 124)
        #expect(try ClosePayload(long.bytes) == long)
        #expect(ClosePayload(.normal, reason: String(repeating: "x", count: 200)).bytes.count == 125)
        #expect(ClosePayload(.normal).bytes == [0x03, 0xe8])
        #expect(ClosePayload.empty.bytes == [])
    }

    @Test("violations have names of their own")
    func names() {
        #expect(Set(FrameViolation.allCases.map(\.rawValue)).count == FrameViolation.allCases.count)
        #expect(FrameViolation.allCases.allSatisfy { $0.rawValue.utf8.count <= 123 })
    }
}
