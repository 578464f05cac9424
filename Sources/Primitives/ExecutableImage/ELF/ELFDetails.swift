/// What only an ELF image has.
struct ELFDetails: Sendable {
    /// What the dynamic loader reads, a list of tags and values.
    let dynamics: [ImagePart]
    /// The path of the dynamic loader.
    let interpreter: ImagePart?
    /// What the file says beside its code, in words of four bytes: `PT_NOTE`.
    let notes: [ImagePart]
    /// What the loader makes read-only when it has filled it in: `PT_GNU_RELRO`, by its addresses.
    let closedParts: [Extent]
    /// The greatest alignment of what is loaded, in bytes: the image can be loaded in pages that are not larger.
    let alignment: UInt64
}

/// A part that a program header names: by its place in the file, and by its address.
struct ImagePart: Sendable {
    let fileOffset: UInt64
    let address: UInt64
    let size: UInt64
}

extension LoadableImage {
    /// Source: Vigil specification, 3.5.
    init(elf view: ImageView) throws(ImageFailure) {
        let header = try ELFHeader(parsing: view)
        var loads: [ProgramHeader] = []
        for line in header.programHeaders {
            switch line.kind {
            case ProgramHeader.Kind.load:
                try line.check(behind: loads.last, header.class, in: view)
                loads.append(line)
            case ProgramHeader.Kind.dynamic where !view.contains(line.file):
                throw view.refusal(.segmentOutOfBounds, at: line.position)
            default: break
            }
        }
        format = .elf
        `class` = header.class
        byteOrder = header.order
        machine = UInt32(header.machine)
        submachine = 0
        fileType = UInt32(header.type)
        range = view.range
        segments = loads.map(\.segment)
        isEncrypted = false
        loadCommandCount = nil
        let elf = ELFDetails(
            dynamics: header.programHeaders.filter { $0.kind == ProgramHeader.Kind.dynamic }.map(\.part),
            interpreter: header.programHeaders.first { $0.kind == ProgramHeader.Kind.interpreter }?.part,
            notes: header.programHeaders.filter { $0.kind == ProgramHeader.Kind.note && $0.alignment <= 4 }.map(\.part),
            closedParts: header.programHeaders.filter { $0.kind == ProgramHeader.Kind.closed }.map(\.memory),
            alignment: loads.map(\.alignment).max() ?? 0)
        details = .elf(elf)
        try checkContentSize()
        for part in elf.dynamics { try checkRelocations(part, in: view) }
        let code = loads.filter { $0.protection.contains(.execute) }
        guard code.contains(where: { !$0.file.isEmpty }) else { throw .refused(.noTextSegment, offset: nil) }
        if let line = code.first(where: { $0.protection.contains(.write) }) {
            throw view.refusal(.writableExecutable, at: line.position)
        }
    }

    /// Refuses code that the loader changes.
    private func checkRelocations(_ part: ImagePart, in view: ImageView) throws(ImageFailure) {
        let start = position(of: part, in: view)
        try forEachDynamicEntry(from: start, size: part.size, in: view.source) { entry throws(ImageFailure) in
            let isRelocated =
                entry.tag == DynamicEntry.Tag.textRelocations
                || entry.tag == DynamicEntry.Tag.flags && entry.value & DynamicEntry.textRelocationsFlag != 0
            if isRelocated { throw .refused(.textRelocations, offset: entry.position) }
            return true
        }
    }

    /// Where in the source a part is. In memory it is where its address was moved to, since files' offsets mean nothing
    /// there.
    func position(of part: ImagePart, in view: ImageView) -> UInt64 {
        guard view.size == nil else { return view.position(part.fileOffset) }
        return slide(header: view.origin) &+ part.address
    }

    /// How far the image was moved from where it was linked to be.
    ///
    /// - Parameter header: the address of its ELF or Mach-O header.
    /// - Returns: the difference, to be added with wrap-around.
    public func slide(header: UInt64) -> UInt64 {
        // The header is at the start of the file, which some segment brings to memory.
        let holder = segments.first { $0.fileOffset == 0 && $0.fileSize > 0 }
        return header &- (holder?.address ?? 0)
    }
}

extension ProgramHeader {
    fileprivate var part: ImagePart { ImagePart(fileOffset: file.start, address: memory.start, size: file.length) }

    fileprivate func check(
        behind previous: ProgramHeader?, _ width: ImageClass, in view: ImageView
    ) throws(ImageFailure) {
        guard view.contains(file) else { throw view.refusal(.segmentOutOfBounds, at: position) }
        guard file.length <= memory.length else { throw view.refusal(.segmentFileLargerThanMemory, at: position) }
        guard memory.fits(below: width.addressLimit) else { throw view.refusal(.segmentOutOfBounds, at: position) }
        guard !isMisaligned else { throw view.refusal(.misalignedSegment, at: position) }
        if let previous, UInt128(memory.start) < previous.memory.end {
            throw view.refusal(.overlappingSegments, at: position)
        }
    }
}
