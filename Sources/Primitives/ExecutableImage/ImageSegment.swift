/// A range of an executable file that the loader maps.
public struct ImageSegment: Hashable, Sendable {
    /// Mach-O's name of the segment, without the zero bytes behind it; nil in ELF, which has none.
    public let name: String?

    /// Where the image was linked to be: Mach-O's `vmaddr`, ELF's `p_vaddr`. A running image is moved by its slide.
    public let address: UInt64

    /// Bytes in memory, at least as many as in the file.
    public let memorySize: UInt64

    /// Where the content begins, counted from the start of the image (in a universal binary: of its slice).
    public let fileOffset: UInt64

    /// Bytes in the file.
    public let fileSize: UInt64

    /// What may be done with its memory.
    public let protection: SegmentProtection

    /// - Parameters: the properties of the same names.
    public init(
        name: String?, address: UInt64, memorySize: UInt64, fileOffset: UInt64, fileSize: UInt64,
        protection: SegmentProtection
    ) {
        self.name = name
        self.address = address
        self.memorySize = memorySize
        self.fileOffset = fileOffset
        self.fileSize = fileSize
        self.protection = protection
    }
}

/// What a process may do with the bytes of a segment, in Mach-O's bits; those of ELF are brought to them.
public struct SegmentProtection: OptionSet, Hashable, Sendable {
    /// The bits, as Mach-O has them.
    public let rawValue: UInt32

    /// - Parameter rawValue: the bits, as Mach-O has them.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// It may be read.
    public static let read = SegmentProtection(rawValue: 1)
    /// It may be written.
    public static let write = SegmentProtection(rawValue: 2)
    /// It may be run.
    public static let execute = SegmentProtection(rawValue: 4)
}
