import TestSupport
import Testing

@testable import Zstandard

@Suite("Zstandard frames")
struct ZstdFrameTests {
    private static let limit = 4 << 20

    private static func expand(_ frame: [UInt8], to count: Int) throws(ZstdFrameError) -> [UInt8] {
        try ZstdFrame.expand(frame, to: count, limit: limit)
    }

    @Test("known frames of RFC 8878: a raw block and a block of one byte again and again")
    func known() throws {
        // Magic; one segment, size in one byte; the last block, raw or repeated, with its size.
        let raw: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, 0b0001_1001, 0, 0, 0x61, 0x62, 0x63]
        #expect(try Self.expand(raw, to: 3) == Array("abc".utf8))
        let repeated: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 9, 0b0100_1011, 0, 0, 0x7a]
        #expect(try Self.expand(repeated, to: 9) == Array("zzzzzzzzz".utf8))
    }

    @Test("what is written is read back", arguments: [0, 1, 255, 256, 257, 65_791, 65_792, 200_000])
    func roundTrip(_ count: Int) throws {
        var random = SplitMix64(state: 5)
        let bytes = (0..<count).map { $0 % 3 == 0 ? UInt8.random(in: 0...255, using: &random) : UInt8($0 & 0xf) }
        let frame = try ZstdFrame.compress(bytes)
        #expect(try Self.expand(frame, to: count) == bytes)
        #expect(throws: ZstdFrameError.otherSize(stated: UInt64(count), expected: count + 1)) {
            try Self.expand(frame, to: count + 1)
        }
    }

    @Test("a frame that ends early, goes on, or is a skippable one is refused")
    func shape() throws {
        let bytes = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * $0 >> 3) }
        let frame = try ZstdFrame.compress(bytes)
        for end in 0..<frame.count {
            #expect(throws: ZstdFrameError.self) { try Self.expand(Array(frame[..<end]), to: bytes.count) }
        }
        #expect(throws: ZstdFrameError.trailingBytes(1)) { try Self.expand(frame + [0], to: bytes.count) }
        #expect(throws: ZstdFrameError.trailingBytes(frame.count)) { try Self.expand(frame + frame, to: bytes.count) }
        let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 0]
        #expect(throws: ZstdFrameError.notAFrame) { try Self.expand(skippable + frame, to: bytes.count) }
        #expect(throws: ZstdFrameError.trailingBytes(skippable.count)) {
            try Self.expand(frame + skippable, to: bytes.count)
        }
    }

    @Test("dictionaries, windows and sizes beyond the limits are refused before anything is expanded")
    func heads() {
        let magic: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
        #expect(throws: ZstdFrameError.dictionary) { try Self.expand(magic + [0x21, 7, 3, 1, 0, 0], to: 3) }
        #expect(throws: ZstdFrameError.malformed) { try Self.expand(magic + [0x28, 3, 1, 0, 0], to: 3) }
        #expect(throws: ZstdFrameError.sizeNotStated) { try Self.expand(magic + [0x00, 0x00, 1, 0, 0], to: 3) }
        #expect(throws: ZstdFrameError.windowTooLarge(8 << 20, limit: 4 << 20)) {
            try Self.expand(magic + [0x40, 13 << 3, 0, 0, 1, 0, 0], to: 256)
        }
        #expect(throws: ZstdFrameError.tooLarge(Self.limit + 1, limit: Self.limit)) {
            try Self.expand(magic + [0xa0, 1, 0, 0x40, 0, 1, 0, 0], to: Self.limit + 1)
        }
        #expect(throws: ZstdFrameError.otherSize(stated: .max, expected: 3)) {
            try Self.expand(magic + [0xe0] + [UInt8](repeating: 0xff, count: 8), to: 3)
        }
    }

    @Test("a bomb gives no byte more than it was to hold")
    func bomb() throws {
        // 32 blocks of 128 KiB each, in a frame that says three bytes.
        let block: [UInt8] = [0b0000_0010, 0x00, 0x10, 0x7a]
        var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x20, 3]
        for _ in 0..<32 { frame += block }
        frame += [1, 0, 0]
        #expect(throws: ZstdFrameError.malformed) { try Self.expand(frame, to: 3) }
        // One that says what it holds is expanded, within the limit.
        let zeros = [UInt8](repeating: 0, count: Self.limit)
        let honest = try ZstdFrame.compress(zeros)
        #expect(honest.count < 1_000)
        #expect(try Self.expand(honest, to: zeros.count) == zeros)
    }

    @Test("a byte that was changed never brings more, and never ends the process")
    func mauled() throws {
        let bytes = (0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7 ^ $0 >> 4) }
        let frame = try ZstdFrame.compress(bytes)
        for position in frame.indices {
            var mauled = frame
            mauled[position] ^= 1 << (position % 8)
            if let expanded = try? Self.expand(mauled, to: bytes.count) { #expect(expanded.count == bytes.count) }
        }
    }

    @Test("a frame need not state its size where only a limit is given, and holds no more than that")
    func unstated() throws {
        // Magic; a window, no size; one raw block. Then blocks of 128 KiB of one byte.
        let head: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]
        let text = head + [0b0001_1001, 0, 0, 0x61, 0x62, 0x63]
        #expect(try ZstdFrame.expand(text, limit: 3) == Array("abc".utf8))
        #expect(throws: ZstdFrameError.tooLarge(3, limit: 2)) { try ZstdFrame.expand(text, limit: 2) }
        #expect(throws: ZstdFrameError.trailingBytes(1)) { try ZstdFrame.expand(text + [0], limit: 3) }
        #expect(throws: ZstdFrameError.malformed) { try ZstdFrame.expand(Array(text.dropLast()), limit: 3) }
        let blocks = (0..<32).flatMap { [$0 == 31 ? 0b0000_0011 : 0b0000_0010, 0x00, 0x10, 0x7a] as [UInt8] }
        let zeros = head + blocks
        #expect(try ZstdFrame.expand(zeros, limit: 4 << 20) == Array(repeating: 0x7a, count: 4 << 20))
        #expect(throws: ZstdFrameError.self) { try ZstdFrame.expand(zeros, limit: (4 << 20) - 1) }
        #expect(throws: ZstdFrameError.dictionary) {
            try ZstdFrame.expand([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 3, 1, 0, 0], limit: 3)
        }
        #expect(throws: ZstdFrameError.notAFrame) { try ZstdFrame.expand([1, 2, 3, 4, 5], limit: 3) }
        // A frame that states its size is read as well.
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 >> 5 ^ $0 * 3) }
        #expect(try ZstdFrame.expand(ZstdFrame.compress(bytes), limit: bytes.count) == bytes)
    }

    @Test("a changed byte in such a frame gives bytes within the limit or an error")
    func mauledUnstated() throws {
        let frame = try ZstdFrame.compress((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7 ^ $0 >> 4) })
        for position in frame.indices {
            var mauled = frame
            mauled[position] ^= 1 << (position % 8)
            if let expanded = try? ZstdFrame.expand(mauled, limit: 5_000) { #expect(expanded.count <= 5_000) }
        }
    }
}
