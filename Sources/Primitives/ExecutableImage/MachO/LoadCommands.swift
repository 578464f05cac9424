/// The load commands that concern content, found by a walk over all of them.
///
/// Source: Vigil specification, 3.3, check 6; `mach-o/loader.h`.
struct LoadCommands {
    private(set) var segments: [Segment] = []
    private(set) var signature: Signature?
    private(set) var encryptions: [Encryption] = []
    /// One behind the last command. The header may claim more.
    private(set) var end: Int

    struct Segment {
        let segment: ImageSegment
        /// The offset of its command from the start of the image.
        let position: Int
    }

    struct Signature: Sendable {
        let extent: Extent
        /// The bytes of its command, counted from the start of the image.
        let command: Range<Int>
    }

    struct Encryption: Sendable {
        let identifier: UInt32
        let position: Int
    }

    private enum Kind {
        static let segment32: UInt32 = 0x01
        static let segment64: UInt32 = 0x19
        static let codeSignature: UInt32 = 0x1d
        static let encryption32: UInt32 = 0x21
        static let encryption64: UInt32 = 0x2c
    }

    init(of header: MachOHeader, in view: ImageView) throws(ImageFailure) {
        let fields = Fields(header.bytes, header.form.order)
        let granule = header.form.width.addressSize
        end = header.form.headerSize
        for _ in 0..<header.commandCount {
            guard header.bytes.count - end >= 8 else { throw view.refusal(.truncatedLoadCommands, at: UInt64(end)) }
            let size = Int(fields.uint32(end + 4))
            guard size >= 8, size % granule == 0 else { throw view.refusal(.badLoadCommandSize, at: UInt64(end)) }
            guard size <= header.bytes.count - end else { throw view.refusal(.truncatedLoadCommands, at: UInt64(end)) }
            try take(fields, command: end..<end + size, of: header.form, in: view)
            end += size
        }
    }

    private mutating func take(
        _ fields: Fields, command: Range<Int>, of form: MachOForm, in view: ImageView
    ) throws(ImageFailure) {
        let start = command.lowerBound
        func require(size: Int) throws(ImageFailure) {
            guard command.count == size else { throw view.refusal(.badLoadCommandSize, at: UInt64(start)) }
        }
        switch fields.uint32(start) {
        case Kind.segment32: try takeSegment(fields, command: command, .bits32, of: form, in: view)
        case Kind.segment64: try takeSegment(fields, command: command, .bits64, of: form, in: view)
        case Kind.codeSignature:
            try require(size: 16)
            guard signature == nil else { throw view.refusal(.duplicateCodeSignature, at: UInt64(start)) }
            let extent = Extent(at: UInt64(fields.uint32(start + 8)), count: UInt64(fields.uint32(start + 12)))
            signature = Signature(extent: extent, command: command)
        case Kind.encryption32:
            try require(size: 20)
            encryptions.append(Encryption(identifier: fields.uint32(start + 16), position: start))
        case Kind.encryption64:
            try require(size: 24)
            encryptions.append(Encryption(identifier: fields.uint32(start + 16), position: start))
        default: break
        }
    }

    private mutating func takeSegment(
        _ fields: Fields, command: Range<Int>, _ width: ImageClass, of form: MachOForm, in view: ImageView
    ) throws(ImageFailure) {
        let start = command.lowerBound
        let refuse = { (error: ImageError) in view.refusal(error, at: UInt64(start)) }
        guard width == form.width else { throw refuse(.segmentWidthMismatch) }
        let (fixed, perSection) = width == .bits32 ? (56, 68) : (72, 80)
        guard command.count >= fixed else { throw refuse(.badLoadCommandSize) }
        let word = width.addressSize
        // Behind the four addresses and sizes: maxprot, initprot, nsects, flags.
        let rest = start + 24 + 4 * word
        let sections = UInt64(fields.uint32(rest + 8))
        guard UInt64(fixed) + sections * UInt64(perSection) == UInt64(command.count) else {
            throw refuse(.badLoadCommandSize)
        }
        let memory = Extent(at: fields.address(start + 24, width), count: fields.address(start + 24 + word, width))
        let file = Extent(
            at: fields.address(start + 24 + 2 * word, width), count: fields.address(start + 24 + 3 * word, width))
        guard file.isEmpty || view.contains(file) else { throw refuse(.segmentOutOfBounds) }
        guard file.length <= memory.length else { throw refuse(.segmentFileLargerThanMemory) }
        guard memory.fits(below: width.addressLimit) else { throw refuse(.segmentOutOfBounds) }
        let name = fields.bytes[(start + 8)..<(start + 24)].prefix { $0 != 0 }
        segments.append(
            Segment(
                segment: ImageSegment(
                    name: String(decoding: name, as: UTF8.self), address: memory.start, memorySize: memory.length,
                    fileOffset: file.start, fileSize: file.length,
                    protection: SegmentProtection(rawValue: fields.uint32(rest + 4))),
                position: start))
    }
}
