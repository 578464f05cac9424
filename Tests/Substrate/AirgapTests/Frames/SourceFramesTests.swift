import Airgap
import TestSupport
import Testing

@Suite("Source frames")
struct SourceFramesTests {
    @Test("a frame is size, block, number and symbol, the last one filled with zeros")
    func layout() {
        let payload = (0..<130).map { UInt8(truncatingIfNeeded: $0) }
        let frames = SourceFrames.frames(of: payload)
        #expect(frames.count == 2)
        #expect(frames[0] == [0x80, 0, 0, 130, 0, 0, 0, 0] + payload[..<128])
        #expect(frames[1] == [0x80, 0, 0, 130, 0, 0, 0, 1, 128, 129] + [UInt8](repeating: 0, count: 126))
    }

    @Test("frames are equally long, and their symbols together are the payload", arguments: [1, 127, 128, 129, 40_000])
    func symbols(count: Int) {
        var random = SplitMix64(state: 5)
        let payload = (0..<count).map { _ in random.byte() }
        for symbolSize in [128, 1072] {
            let frames = SourceFrames.frames(of: payload, symbolSize: symbolSize)
            #expect(frames.count == (count + symbolSize - 1) / symbolSize)
            #expect(frames.allSatisfy { $0.count == symbolSize + 8 })
            #expect(Array(frames.flatMap { $0.dropFirst(8) }.prefix(count)) == payload)
            #expect(frames.allSatisfy { QRContent($0) == .fountainFrame(payloadSize: count) })
            #expect(
                frames.enumerated().allSatisfy { number, frame in
                    Int(frame[5]) << 16 | Int(frame[6]) << 8 | Int(frame[7]) == number && frame[4] == 0
                })
        }
    }

    private static let known = "signer-wire/frames/frames.json"

    @Test("captured frames have the same head", .enabled(if: SharedData.has(known)))
    func captured() throws {
        for item in try SharedData.json(Self.known)["fountain_heads"].array {
            let head = try #require(item["hex_head"].hex)
            let size = try #require(item["payload_size"].int)
            let number = try #require(item["encoding_symbol_id"].int)
            let symbolSize = try #require(item["symbol_bytes"].int)
            let frames = SourceFrames.frames(of: [UInt8](repeating: 0, count: size), symbolSize: symbolSize)
            #expect(Array(frames[number].prefix(8)) == Array(head.prefix(8)))
            #expect(frames[number].count == item["frame_bytes"].int)
        }
    }
}
