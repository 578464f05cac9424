/// What an ELF image asks the system for beside itself.
///
/// Source: Vigil specification, 6.1; System V ABI, "Dynamic Linking".
public struct Linkage: Hashable, Sendable {
    /// Names of libraries, `DT_NEEDED`, in the order of the file. At most ``nameLimit``, however many lists the file has.
    public let needed: [String]

    /// The path of the dynamic loader, `PT_INTERP`; nil in libraries and static programs.
    public let interpreter: String?

    public static let nameLimit = 1024

    /// Bytes of a name or path.
    public static let nameSizeLimit = 4096
}

extension ExecutableFile {
    /// The libraries and the loader that an ELF image names; nothing for Mach-O.
    ///
    /// - Throws: ``ImageError/segmentOutOfBounds`` where a name is not inside the file or breaks a limit of ``Linkage``.
    public func linkage(of image: LoadableImage) throws(ImageFailure) -> Linkage {
        guard case .elf(let details) = image.details else { return Linkage(needed: [], interpreter: nil) }
        let view = ImageView(
            source: bytes, origin: image.range.lowerBound, size: image.range.upperBound - image.range.lowerBound)
        var interpreter: String?
        if let part = details.interpreter {
            interpreter = try view.name(at: part.fileOffset, within: Extent(part.fileOffset, part.size))
        }
        var needed: [String] = []
        for part in details.dynamics {
            needed += try libraries(in: part, of: image, view, limit: Linkage.nameLimit - needed.count)
        }
        return Linkage(needed: needed, interpreter: interpreter)
    }

    private func libraries(
        in part: ImagePart, of image: LoadableImage, _ view: ImageView, limit: Int
    ) throws(ImageFailure) -> [String] {
        var offsets: [UInt64] = []
        var address: UInt64?
        var size: UInt64 = 0
        try image.forEachDynamicEntry(from: view.position(part.fileOffset), size: part.size, in: bytes) {
            (entry: DynamicEntry) throws(ImageFailure) in
            switch entry.tag {
            case DynamicEntry.Tag.needed:
                guard offsets.count < limit else {
                    throw .refused(.segmentOutOfBounds, offset: entry.position)
                }
                offsets.append(entry.value)
            case DynamicEntry.Tag.stringTable: address = entry.value
            case DynamicEntry.Tag.stringTableSize: size = entry.value
            default: break
            }
            return true
        }
        guard !offsets.isEmpty else { return [] }
        guard let address, let table = image.fileExtent(ofAddress: address, size: size) else {
            throw view.refusal(.segmentOutOfBounds, at: part.fileOffset)
        }
        var names: [String] = []
        for offset in offsets {
            guard offset < size else { throw view.refusal(.segmentOutOfBounds, at: part.fileOffset) }
            names.append(try view.name(at: table.start + offset, within: table))
        }
        return names
    }
}

extension LoadableImage {
    /// Where in the file the bytes of a range of addresses are; nil if no segment brings them all from there.
    fileprivate func fileExtent(ofAddress address: UInt64, size: UInt64) -> Extent? {
        let wanted = Extent(address, size)
        guard let segment = segments.first(where: { Extent($0.address, $0.fileSize).contains(wanted) }) else {
            return nil
        }
        return Extent(segment.fileOffset + (address - segment.address), size)
    }
}

extension ImageView {
    /// A text that ends with a zero byte.
    fileprivate func name(at offset: UInt64, within extent: Extent) throws(ImageFailure) -> String {
        let rest = UInt128(offset) < extent.end ? UInt64(extent.end - UInt128(offset)) : 0
        let piece = Extent(offset, min(rest, UInt64(Linkage.nameSizeLimit) + 1))
        let bytes = try bytes(piece, orRefuse: .segmentOutOfBounds)
        guard let end = bytes.firstIndex(of: 0) else { throw refusal(.segmentOutOfBounds, at: offset) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
