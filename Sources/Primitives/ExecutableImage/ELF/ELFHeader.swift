/// The header of an ELF file, with its checks. The section headers are not read: no loader does, and `strip` changes
/// them.
///
/// Source: Vigil specification, 3.5; System V ABI, "ELF Header".
struct ELFHeader {
    static let programHeaderLimit: UInt16 = 512

    let `class`: ImageClass
    let order: ByteOrder
    let type: UInt16
    let machine: UInt16
    let programHeaders: [ProgramHeader]

    init(parsing view: ImageView) throws(ImageFailure) {
        let identification = try view.bytes(Extent(at: 0, count: 16), orRefuse: .truncatedHeader)
        guard let width = ImageClass(rawValue: identification[4]) else { throw view.refusal(.badElfIdent, at: 4) }
        guard let order = ByteOrder(rawValue: identification[5]) else { throw view.refusal(.badElfIdent, at: 5) }
        guard identification[6] == 1 else { throw view.refusal(.badElfIdent, at: 6) }
        `class` = width
        self.order = order
        let size: UInt64 = width == .bits32 ? 52 : 64
        let fields = Fields(try view.bytes(Extent(at: 0, count: size), orRefuse: .truncatedHeader), order)
        guard fields.uint32(20) == 1 else { throw view.refusal(.badElfIdent, at: 20) }
        type = fields.uint16(16)
        machine = fields.uint16(18)
        guard type == 2 || type == 3 else { throw view.refusal(.unsupportedFileType, at: 16) }
        programHeaders = try Self.table(fields, width, in: view)
    }

    private static func table(
        _ fields: Fields, _ width: ImageClass, in view: ImageView
    ) throws(ImageFailure) -> [ProgramHeader] {
        let sizePosition = width == .bits32 ? 42 : 54
        let count = fields.uint16(sizePosition + 2)
        guard count > 0 else { throw view.refusal(.noTextSegment, at: UInt64(sizePosition + 2)) }
        guard count <= programHeaderLimit else {
            throw view.refusal(.tooManyProgramHeaders, at: UInt64(sizePosition + 2))
        }
        let entrySize = ProgramHeader.size(width)
        guard Int(fields.uint16(sizePosition)) == entrySize else {
            throw view.refusal(.badProgramHeaderSize, at: UInt64(sizePosition))
        }
        let start = fields.address(width == .bits32 ? 28 : 32, width)
        let table = Extent(at: start, count: UInt64(count) * UInt64(entrySize))
        let bytes = try view.bytes(table, orRefuse: .truncatedProgramHeaders)
        return (0..<Int(count)).map { index in
            ProgramHeader(
                Fields(bytes[(index * entrySize)...], fields.order), width,
                position: start + UInt64(index * entrySize))
        }
    }

    /// The fields about section headers: `e_shoff`; `e_shentsize`, `e_shnum` and `e_shstrndx`. Canonical content has
    /// zeros there.
    static func sectionTableFields(_ width: ImageClass) -> [Range<Int>] {
        width == .bits32 ? [32..<36, 46..<52] : [40..<48, 58..<64]
    }
}

/// A line of the table that tells a loader what to map.
struct ProgramHeader {
    enum Kind {
        static let load: UInt32 = 1
        static let dynamic: UInt32 = 2
        static let interpreter: UInt32 = 3
        static let note: UInt32 = 4
        /// `PT_GNU_RELRO`
        static let closed: UInt32 = 0x6474_e552
    }

    let kind: UInt32
    let protection: SegmentProtection
    let file: Extent
    let memory: Extent
    let alignment: UInt64
    /// The offset of this program header from the start of the image.
    let position: UInt64

    static func size(_ width: ImageClass) -> Int { width == .bits32 ? 32 : 56 }

    init(_ fields: Fields, _ width: ImageClass, position: UInt64) {
        self.position = position
        kind = fields.uint32(0)
        // p_flags comes second in 64-bit files and before p_align in others.
        let word = width.addressSize
        let first = word
        file = Extent(at: fields.address(first, width), count: fields.address(first + 3 * word, width))
        memory = Extent(at: fields.address(first + word, width), count: fields.address(first + 4 * word, width))
        protection = Self.protection(fields.uint32(width == .bits32 ? 24 : 4))
        alignment = fields.address(width == .bits32 ? 28 : 48, width)
    }

    /// ELF has execute 1, write 2, read 4.
    private static func protection(_ flags: UInt32) -> SegmentProtection {
        var protection: SegmentProtection = []
        if flags & 4 != 0 { protection.insert(.read) }
        if flags & 2 != 0 { protection.insert(.write) }
        if flags & 1 != 0 { protection.insert(.execute) }
        return protection
    }

    var isMisaligned: Bool {
        alignment > 1 && (alignment.nonzeroBitCount != 1 || (memory.start &- file.start) & (alignment - 1) != 0)
    }

    var segment: ImageSegment {
        ImageSegment(
            name: nil, address: memory.start, memorySize: memory.length, fileOffset: file.start, fileSize: file.length,
            protection: protection)
    }
}
