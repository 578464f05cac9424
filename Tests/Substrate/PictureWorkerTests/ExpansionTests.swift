#if os(Linux)
    import ForceFieldTestSupport
    import PictureService
    import Testing
    import Zstandard

    @Suite("Compressed metadata are expanded in the worker", .serialized)
    struct ExpansionTests {
        private static func ask(_ frame: [UInt8], _ count: Int, of host: PictureHost) throws -> Expansion {
            let asked = PackedBytes(byteCount: count, frame: frame)
            let expansion = try host.worker.call(PictureService.expand, asked)
            try expansion.check(for: asked)
            return expansion
        }

        @Test("within all of the walls of pictures, up to the largest metadata")
        func expanded() throws {
            let host = try PictureHost()
            for count in [1, 150_000, PackedBytes.byteLimit] {
                let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 >> 5 ^ $0 * 3) }
                #expect(try Self.ask(ZstdFrame.compress(bytes), count, of: host) == .expanded(bytes))
            }
        }

        @Test("bombs, cut frames, skippable frames and dictionaries are refused by a worker that goes on")
        func refused() throws {
            let host = try PictureHost()
            let bytes = [UInt8](repeating: 7, count: 100_000)
            let frame = try ZstdFrame.compress(bytes)
            let bomb: [UInt8] =
                [0x28, 0xb5, 0x2f, 0xfd, 0x20, 3]
                + (0..<1_000).flatMap { _ in [0b0000_0010, 0x00, 0x10, 0x7a] as [UInt8] } + [1, 0, 0]
            let hostile: [(frame: [UInt8], count: Int)] = [
                (bomb, 3), (Array(frame.dropLast()), 100_000), (frame + [0], 100_000), (frame, 99_999),
                ([0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0] + frame, 100_000),
                ([0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 3, 1, 0, 0], 3),
                ([], 1), (frame, PackedBytes.byteLimit + 1), (frame, -1), (frame, .min), (frame, .max),
            ]
            for (frame, count) in hostile {
                guard
                    case .refused(let reason) = try host.worker.call(
                        PictureService.expand, PackedBytes(byteCount: count, frame: frame))
                else { throw WorkerProcess.Unexpected() }
                #expect(!reason.isEmpty)
            }
            #expect(try Self.ask(frame, 100_000, of: host) == .expanded(bytes))
        }

        @Test("a reply of another length, or with more words than may be, is not believed")
        func replies() {
            let asked = PackedBytes(byteCount: 3, frame: [])
            for count in [0, 2, 4] {
                #expect(throws: ReplyRefusal.size) {
                    try Expansion.expanded([UInt8](repeating: 0, count: count)).check(for: asked)
                }
            }
            #expect(throws: ReplyRefusal.words) {
                try Expansion.refused(String(repeating: "x", count: 257)).check(for: asked)
            }
        }
    }
#endif
