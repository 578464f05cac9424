#if os(Linux)
    import Airgap
    import Testing
    import Zstandard

    @testable import AirgapLink

    @Suite("Compressed metadata go through a process of their own", .serialized)
    struct MetadataExpansionTests {
        private static let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 4 ^ $0) }

        private static func packed(_ count: Int = bytes.count, _ frame: [UInt8]? = nil) throws -> PackedMetadata {
            let frame = try frame ?? ZstdFrame.compress(bytes)
            return try #require(PackedMetadata(byteCount: count, frame: frame))
        }

        @Test("what was compressed comes back, again and again by one reader")
        func expanded() throws {
            let reader = PictureReader(Workers.terms())
            for _ in 0..<2 { #expect(try reader.expand(Self.packed()) == Self.bytes) }
        }

        @Test("what is damaged is refused with its reason, and the reader goes on")
        func refused() throws {
            let reader = PictureReader(Workers.terms())
            let error = #expect(throws: ExpansionError.self) { try reader.expand(Self.packed(5)) }
            #expect(error?.reason.contains("200000 bytes, and 5 are expected") == true)
            #expect(throws: ExpansionError.self) { try reader.expand(Self.packed(5, [1, 2, 3])) }
            #expect(try reader.expand(Self.packed()) == Self.bytes)
        }

        @Test("without the program nothing is expanded")
        func noWorker() throws {
            let reader = PictureReader(Workers.terms("no-such-worker"))
            #expect(throws: LinkError.self) { try reader.expand(Self.packed()) }
        }
    }
#endif
