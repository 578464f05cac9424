/// What a loader maps to run code: an ELF file, a Mach-O file, or one slice of a universal binary.
///
/// Only what passes every check of its format becomes a value of this type.
public struct LoadableImage: Sendable {
    /// What kind of image it is.
    public enum Format: UInt8, Hashable, Sendable {
        case machO = 1
        case elf = 2
    }

    /// What kind of image it is.
    public let format: Format
    /// The width of its addresses.
    public let `class`: ImageClass
    /// The order of the bytes of its numbers.
    package let byteOrder: ByteOrder

    /// Mach-O's `cputype`, ELF's `e_machine`.
    public let machine: UInt32

    /// Mach-O's `cpusubtype` without its capability bits; 0 in ELF.
    package let submachine: UInt32

    /// Mach-O's `filetype`, ELF's `e_type`.
    package let fileType: UInt32

    /// Where in the file it lies, in bytes: all of the file, or a slice of a universal binary. Empty for an image in
    /// memory.
    public let range: Range<UInt64>

    /// The segments in the order of the load commands or program headers. An ELF image has its `PT_LOAD` segments here.
    public let segments: [ImageSegment]

    /// Whether the code is encrypted in the file, as the App Store does it. Such an image exists in memory only.
    public let isEncrypted: Bool

    /// Load commands of a Mach-O image; nil in ELF.
    package let loadCommandCount: Int?

    let details: Details

    /// What only one of the formats has.
    enum Details: Sendable {
        case machO(MachODetails)
        case elf(ELFDetails)
    }

    /// The name of the architecture, as the tools of the platforms write it.
    ///
    /// Source: Vigil specification, 3.2.
    public var architecture: String {
        switch format {
        case .machO: Architecture.machO(type: machine, subtype: submachine)
        case .elf: Architecture.elf(machine: machine, class: `class`, order: byteOrder)
        }
    }

    /// The segments that `text2` and `pageRoot` cover: all code, and read-only data beside it. A loader maps them
    /// unchanged, so that they are the same in a running process.
    ///
    /// Source: Vigil specification, 3.3 and 3.5.
    public var coveredSegments: [ImageSegment] {
        segments.filter { segment in
            guard segment.fileSize > 0 else { return false }
            return switch format {
            case .machO: segment.name == MachODetails.textName || segment.protection.contains(.execute)
            case .elf: !segment.protection.contains(.write)
            }
        }
    }

    /// Whether it has a code signature.
    package var hasCodeSignature: Bool {
        if case .machO(let details) = details { details.signature != nil } else { false }
    }

    /// Refuses an image whose segments and lists are together larger than any file that is read: in a file they would
    /// be read many times over, and the memory of a hostile process has no end.
    func checkContentSize() throws(ImageFailure) {
        var sizes = segments.map(\.fileSize)
        if case .elf(let details) = details { sizes += details.dynamics.map(\.size) }
        let total = sizes.reduce(UInt128(0)) { $0 + UInt128($1) }
        guard total <= UInt128(ExecutableFile.sizeLimit) else { throw .refused(.fileTooLarge, offset: nil) }
    }

    /// The segments that `load2` covers whole: all with bytes in the file, but `__LINKEDIT`, of which it covers a part.
    ///
    /// Source: Vigil specification, 3.6.
    package var listedSegments: [ImageSegment] {
        let linkEdit: ImageSegment? = if case .machO(let details) = details { details.linkEdit } else { nil }
        return segments.filter { $0.fileSize > 0 && $0 != linkEdit }
    }

    /// The segments whose bytes are `text1`, the definition of the seed.
    var textSegments: [ImageSegment] {
        switch format {
        case .machO: segments.filter { $0.name == MachODetails.textName }
        case .elf: segments.filter { $0.fileSize > 0 && $0.protection.contains(.execute) }
        }
    }

    /// The bytes that `text1` covers.
    package var textSize: UInt64 { textSegments.reduce(0) { $0 &+ $1.fileSize } }

    /// What canonical content has in place of the file's bytes, in ascending order.
    var replacements: [Replacement] {
        switch details {
        case .machO(let details): [Replacement(offset: 0, bytes: details.canonicalHeader)]
        case .elf:
            ELFHeader.sectionTableFields(`class`).map { Replacement(offset: UInt64($0.lowerBound), zeros: $0.count) }
        }
    }

    /// Bytes that stand in canonical content in the place of a part of the file.
    struct Replacement: Sendable {
        /// Where they begin, counted from the start of the image.
        let offset: UInt64
        let bytes: [UInt8]

        init(offset: UInt64, bytes: [UInt8]) {
            self.offset = offset
            self.bytes = bytes
        }

        init(offset: UInt64, zeros: Int) {
            self.init(offset: offset, bytes: Array(repeating: 0, count: zeros))
        }

        var extent: Extent { Extent(at: offset, count: UInt64(bytes.count)) }
    }
}
