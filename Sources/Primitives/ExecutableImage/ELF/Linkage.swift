/// What an ELF image asks the system for beside itself.
///
/// Source: Vigil specification, 6.1; System V ABI, "Dynamic Linking"; ld.so(8).
public struct Linkage: Hashable, Sendable {
    /// Names of libraries, `DT_NEEDED`, in the order of the file. At most ``nameLimit``, however many lists the file
    /// has.
    public fileprivate(set) var needed: [String] = []

    /// The path of the dynamic loader, `PT_INTERP`; nil in libraries and static programs.
    public fileprivate(set) var interpreter: String?

    /// The name that others ask for it by, `DT_SONAME`.
    public fileprivate(set) var soname: String?

    /// Folders of its libraries and of theirs in turn, `DT_RPATH`. Words of the loader, such as `$ORIGIN`, are as in
    /// the file.
    public fileprivate(set) var rpath: [String] = []

    /// Folders of its libraries, `DT_RUNPATH`; where it is not nil, ``rpath`` does not count.
    public fileprivate(set) var runpath: [String]?

    /// Whether its libraries are not looked for in the loader's own folders, `DF_1_NODEFLIB`.
    public fileprivate(set) var avoidsDefaultFolders = false

    /// What the file says of libraries that it opens by itself later: JSON, an array of objects with `soname` among
    /// their members. It is passed on as it is.
    ///
    /// Source: <https://uapi-group.org/specifications/specs/elf_dlopen_metadata/>
    public fileprivate(set) var openedLater: [[UInt8]] = []

    /// How many names are read.
    package static let nameLimit = 1024

    /// Bytes of a name or path.
    package static let nameSizeLimit = 4096

    /// Bytes of the notes of a file.
    package static let notesSizeLimit = 65_536

    /// Bytes of a list of folders.
    package static let foldersSizeLimit = 65_536
}

extension ExecutableFile {
    /// The libraries and the loader that an ELF image names; nothing for Mach-O.
    ///
    /// - Throws: ``ImageError/segmentOutOfBounds`` where a name is not inside the file or breaks a limit of
    ///   ``Linkage``.
    public func linkage(of image: LoadableImage) throws(ImageFailure) -> Linkage {
        var linkage = Linkage()
        guard case .elf(let details) = image.details else { return linkage }
        let view = ImageView(
            source: bytes, origin: image.range.lowerBound, size: image.range.upperBound - image.range.lowerBound)
        if let part = details.interpreter {
            linkage.interpreter = try view.name(
                at: part.fileOffset, within: Extent(at: part.fileOffset, count: part.size))
        }
        for part in details.dynamics { try read(part, of: image, view, into: &linkage) }
        var room = Linkage.notesSizeLimit
        for part in details.notes {
            guard part.size <= UInt64(room) else { throw view.refusal(.segmentOutOfBounds, at: part.fileOffset) }
            room -= Int(part.size)
            linkage.openedLater += try notes(part, of: image, view)
        }
        return linkage
    }

    /// The contents of those notes that are about libraries.
    private func notes(
        _ part: ImagePart, of image: LoadableImage, _ view: ImageView
    ) throws(ImageFailure) -> [[UInt8]] {
        let bytes = try view.bytes(Extent(at: part.fileOffset, count: part.size), orRefuse: .segmentOutOfBounds)
        let fields = Fields(bytes, image.byteOrder)
        var found: [[UInt8]] = []
        var position = 0
        while bytes.count - position >= 12 {
            let owner = position + 12
            let content = owner + Int(fields.uint32(position)).roundedUp
            let end = content + Int(fields.uint32(position + 4))
            guard end <= bytes.count else {
                throw view.refusal(.segmentOutOfBounds, at: part.fileOffset + UInt64(position))
            }
            if fields.uint32(position + 8) == Note.openedLater, bytes[owner..<content].elementsEqual(Note.owner) {
                found.append(Array(bytes[content..<end].prefix { $0 != 0 }))
            }
            position = end.roundedUp
        }
        return found
    }

    private func read(
        _ part: ImagePart, of image: LoadableImage, _ view: ImageView, into linkage: inout Linkage
    ) throws(ImageFailure) {
        var needed: [UInt64] = []
        var named: [UInt64: UInt64] = [:]
        let limit = Linkage.nameLimit - linkage.needed.count
        try image.forEachDynamicEntry(from: view.position(part.fileOffset), size: part.size, in: bytes) {
            (entry: DynamicEntry) throws(ImageFailure) in
            switch entry.tag {
            case DynamicEntry.Tag.needed:
                guard needed.count < limit else { throw .refused(.segmentOutOfBounds, offset: entry.position) }
                needed.append(entry.value)
            case DynamicEntry.Tag.stringTable, DynamicEntry.Tag.stringTableSize, DynamicEntry.Tag.soname,
                DynamicEntry.Tag.rpath, DynamicEntry.Tag.runpath, DynamicEntry.Tag.flags1:
                named[entry.tag] = entry.value
            default: break
            }
            return true
        }
        if named[DynamicEntry.Tag.flags1, default: 0] & DynamicEntry.avoidsDefaultFoldersFlag != 0 {
            linkage.avoidsDefaultFolders = true
        }
        let strings = StringTable(of: image, part: part, in: view, values: named)
        for offset in needed { linkage.needed.append(try strings.text(at: offset)) }
        if let offset = named[DynamicEntry.Tag.soname] { linkage.soname = try strings.text(at: offset) }
        if let offset = named[DynamicEntry.Tag.rpath] { linkage.rpath += try strings.folders(at: offset) }
        if let offset = named[DynamicEntry.Tag.runpath] {
            linkage.runpath = (linkage.runpath ?? []) + (try strings.folders(at: offset))
        }
    }
}

/// The notes that name libraries.
private enum Note {
    static let openedLater: UInt32 = 0x407c_0c0a
    static let owner = Array("FDO\0".utf8)
}

extension Int {
    /// The next multiple of four.
    fileprivate var roundedUp: Int { (self + 3) / 4 * 4 }
}

/// The names of a dynamic section.
private struct StringTable {
    private let view: ImageView
    private let part: ImagePart
    /// Nil where the section names none, and then nothing can be read from it.
    private let table: Extent?

    /// - Parameter values: of the section, by their tags.
    init(
        of image: LoadableImage, part: ImagePart, in view: ImageView, values: [UInt64: UInt64]
    ) {
        self.view = view
        self.part = part
        table = values[DynamicEntry.Tag.stringTable].flatMap {
            image.fileExtent(ofAddress: $0, size: values[DynamicEntry.Tag.stringTableSize, default: 0])
        }
    }

    func text(at offset: UInt64, limit: Int = Linkage.nameSizeLimit) throws(ImageFailure) -> String {
        guard let table, offset < table.length else { throw view.refusal(.segmentOutOfBounds, at: part.fileOffset) }
        return try view.name(at: table.start + offset, within: table, limit: limit)
    }

    /// Folders with colons between them; an empty one is where the program is started, which cannot be known
    /// beforehand.
    func folders(at offset: UInt64) throws(ImageFailure) -> [String] {
        try text(at: offset, limit: Linkage.foldersSizeLimit).split(separator: ":").map(String.init)
    }
}

extension LoadableImage {
    /// Where in the file the bytes of a range of addresses are; nil if no segment brings them all from there.
    fileprivate func fileExtent(ofAddress address: UInt64, size: UInt64) -> Extent? {
        let wanted = Extent(at: address, count: size)
        guard let segment = segments.first(where: { Extent(at: $0.address, count: $0.fileSize).contains(wanted) })
        else {
            return nil
        }
        return Extent(at: segment.fileOffset + (address - segment.address), count: size)
    }
}

extension ImageView {
    /// A text that ends with a zero byte.
    fileprivate func name(
        at offset: UInt64, within extent: Extent, limit: Int = Linkage.nameSizeLimit
    ) throws(ImageFailure) -> String {
        let rest = UInt128(offset) < extent.end ? UInt64(extent.end - UInt128(offset)) : 0
        let piece = Extent(at: offset, count: min(rest, UInt64(limit) + 1))
        let bytes = try bytes(piece, orRefuse: .segmentOutOfBounds)
        guard let end = bytes.firstIndex(of: 0) else { throw refusal(.segmentOutOfBounds, at: offset) }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}
