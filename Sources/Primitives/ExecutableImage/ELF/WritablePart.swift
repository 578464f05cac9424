/// A part of an image that decides what it does and can be written to while it runs. Constants and pointers to
/// functions belong in memory that is read-only from the start, or as soon as the loader has filled it in (RELRO).
package enum WritablePart: Error, Hashable, Sendable {
    /// A section that stays writable.
    case section(String)
    /// Functions of libraries are looked up when they are called first, so that the table of their addresses stays
    /// writable.
    case lazyBinding
    /// The image has no table of sections, so that it cannot be told where its constants are.
    case unknown

    /// Sections of constants and of pointers to functions, by what their names begin with.
    ///
    /// Swift's reflection among them; its section for settings of back-traces is written to by the runtime, and holds
    /// neither.
    static func isConstant(_ name: String) -> Bool {
        if name.utf8.starts(with: "swift5_".utf8) { return name != "swift5_backtrace" }
        return known.contains { known in
            name.utf8.starts(with: known.utf8)
                && [nil, UInt8(ascii: ".")].contains(name.utf8.dropFirst(known.utf8.count).first)
        }
    }

    /// Names of such sections, which may have further words behind a full stop.
    private static let known = [
        ".rodata", ".lrodata", ".data.rel.ro", ".got", ".preinit_array", ".init_array", ".fini_array", ".ctors",
        ".dtors", ".dynamic", ".eh_frame", ".eh_frame_hdr", ".gcc_except_table",
    ]
}

extension WritablePart: CustomStringConvertible {
    /// What is wrong and what to do.
    package var description: String {
        switch self {
        case .section(let name):
            "The section \(name) stays writable while the program runs, so that it can be changed unseen. "
                + "Link with lld and -z relro -z now -z separate-code -z common-page-size=65536, and with "
                + "packaging/constants.ld where Swift's constants are in it."
        case .lazyBinding:
            "The addresses of functions of libraries stay writable, because they are looked up when they are called first. "
                + "Link with -z relro -z now."
        case .unknown:
            "It has no table of sections, so that nobody can tell whether its constants are writable. "
                + "Strip it without --strip-section-headers."
        }
    }
}

extension LoadableImage {
    /// The parts of an ELF image that the loader makes read-only when it has filled them in, as whole pages of memory;
    /// none in Mach-O. A page that is theirs only in part stays writable at their end, as the loader leaves it.
    ///
    /// - Parameter pageSize: of the system that loads it, in bytes, a power of two.
    ///
    /// Source: `_dl_protect_relro` of the GNU C library.
    public func readOnlyAfterRelocation(pageSize: UInt64) -> [ImageSegment] {
        guard case .elf(let details) = details else { return [] }
        return details.closedParts.compactMap { part in
            let first = part.start & ~(pageSize - 1)
            let (end, runsOver) = part.start.addingReportingOverflow(part.length)
            let last = end & ~(pageSize - 1)
            guard !runsOver, first < last,
                let holder = segments.first(where: { Extent(at: $0.address, count: $0.memorySize).contains(part) })
            else { return nil }
            // The first page may begin before the segment does.
            let before = holder.address & ~(pageSize - 1)
            guard first >= before else { return nil }
            let offset = (holder.fileOffset & ~(pageSize - 1)) &+ (first - before)
            let fileEnd = holder.address &+ holder.fileSize
            return ImageSegment(
                name: nil, address: first, memorySize: last - first, fileOffset: offset,
                fileSize: min(last, max(first, fileEnd)) - first, protection: .read)
        }
    }

    /// The largest pages, in bytes, of a system that may load the image: on other processors than Intel's they differ.
    fileprivate func largestPageSize(_ details: ELFDetails) -> UInt64 {
        let least = UInt64(PageSize.kib4.rawValue)
        let isIntel = ["i386", "x86_64"].contains(architecture)
        return isIntel ? least : min(max(details.alignment, least), Self.largestPageSize)
    }

    private static let largestPageSize: UInt64 = 65_536
}

extension ExecutableFile {
    /// What decides what an ELF image does and stays writable; empty for Mach-O, whose kernel keeps such segments
    /// itself.
    ///
    /// - Returns: in the order of the file, the binding first.
    /// - Throws: what reading throws, ``ImageError/segmentOutOfBounds`` for a table of sections that reaches out of the
    ///   file.
    package func writableParts(of image: LoadableImage) throws(ImageFailure) -> [WritablePart] {
        guard case .elf(let details) = image.details else { return [] }
        let view = ImageView(
            source: bytes, origin: image.range.lowerBound, size: image.range.upperBound - image.range.lowerBound)
        var parts: [WritablePart] = []
        if try isBoundLazily(image, details, in: view) { parts.append(.lazyBinding) }
        guard let table = try SectionTable(of: image, in: view) else { return parts + [.unknown] }
        let closed = image.readOnlyAfterRelocation(pageSize: image.largestPageSize(details)).map {
            Extent(at: $0.address, count: $0.memorySize)
        }
        let writable = image.segments.filter { $0.protection.contains(.write) }.map {
            Extent(at: $0.address, count: $0.memorySize)
        }
        for (name, header) in table.sections where WritablePart.isConstant(name) && !header.isThreadLocal {
            let isOpen = writable.contains { Extent.firstOverlap(among: [$0, header.memory]) != nil }
            if isOpen, !closed.contains(where: { $0.contains(header.memory) }) { parts.append(.section(name)) }
        }
        return parts
    }

    /// Whether there are functions to look up, and leave to do so later.
    private func isBoundLazily(
        _ image: LoadableImage, _ details: ELFDetails, in view: ImageView
    ) throws(ImageFailure) -> Bool {
        var hasTable = false
        var bindsNow = false
        for part in details.dynamics {
            try image.forEachDynamicEntry(from: view.position(part.fileOffset), size: part.size, in: bytes) { entry in
                switch entry.tag {
                case DynamicEntry.Tag.functionRelocations: hasTable = true
                case DynamicEntry.Tag.bindNow: bindsNow = true
                case DynamicEntry.Tag.flags where entry.value & DynamicEntry.bindNowFlag != 0: bindsNow = true
                case DynamicEntry.Tag.flags1 where entry.value & DynamicEntry.nowFlag != 0: bindsNow = true
                default: break
                }
                return true
            }
        }
        return hasTable && !bindsNow
    }
}
