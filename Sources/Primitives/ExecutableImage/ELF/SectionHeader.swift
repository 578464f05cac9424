/// A line of the table that tells a linker and a person what the parts of an ELF file are. No loader reads it.
///
/// Source: System V ABI, "Sections".
struct SectionHeader {
    /// Where in the table of names its own begins.
    let nameOffset: UInt32
    let flags: UInt64
    /// The section's place in memory.
    let memory: Extent
    /// The section's place in the file.
    let content: Extent

    /// `SHF_ALLOC`: the loader brings it to memory.
    var isLoaded: Bool { flags & 2 != 0 }

    /// `SHF_TLS`: what is at its address is a pattern, of which each thread has a copy elsewhere.
    var isThreadLocal: Bool { flags & 0x400 != 0 }

    static func size(_ width: ImageClass) -> Int { width == .bits32 ? 40 : 64 }

    /// Bytes of a name that is read.
    static let nameSizeLimit = 128

    init(_ fields: Fields, _ width: ImageClass) {
        let word = width.addressSize
        nameOffset = fields.uint32(0)
        flags = fields.address(8, width)
        memory = Extent(at: fields.address(8 + word, width), count: fields.address(8 + 3 * word, width))
        content = Extent(at: fields.address(8 + 2 * word, width), count: fields.address(8 + 3 * word, width))
    }
}

/// The sections of an ELF file by their names.
struct SectionTable {
    let sections: [(name: String, header: SectionHeader)]

    /// - Throws: ``ImageError/segmentOutOfBounds`` for a table or a name that is not inside the file.
    init?(of image: LoadableImage, in view: ImageView) throws(ImageFailure) {
        let width = image.class
        let head = Fields(
            try view.bytes(Extent(at: 0, count: width == .bits32 ? 52 : 64), orRefuse: .truncatedHeader),
            image.byteOrder)
        let position = width == .bits32 ? 46 : 58
        let start = head.address(width == .bits32 ? 32 : 40, width)
        let entrySize = SectionHeader.size(width)
        let count = Int(head.uint16(position + 2))
        let names = Int(head.uint16(position + 4))
        guard start > 0, Int(head.uint16(position)) == entrySize, names < count else { return nil }
        let bytes = try view.bytes(Extent(at: start, count: UInt64(count * entrySize)), orRefuse: .segmentOutOfBounds)
        let headers = (0..<count).map { SectionHeader(Fields(bytes[($0 * entrySize)...], image.byteOrder), width) }
        let table = headers[names].content
        var sections: [(String, SectionHeader)] = []
        for header in headers where header.isLoaded && header.memory.length > 0 {
            guard UInt64(header.nameOffset) < table.length, view.contains(table) else {
                throw view.refusal(.segmentOutOfBounds, at: start)
            }
            let rest = table.length - UInt64(header.nameOffset)
            let piece = Extent(
                at: table.start + UInt64(header.nameOffset), count: min(rest, UInt64(SectionHeader.nameSizeLimit)))
            let name = try view.bytes(piece, orRefuse: .segmentOutOfBounds).prefix { $0 != 0 }
            sections.append((String(decoding: name, as: UTF8.self), header))
        }
        self.sections = sections
    }
}
