/// The table of a universal binary, always with the highest byte first.
///
/// Source: Vigil specification, 3.2.
struct FatTable {
    static let sliceLimit: UInt32 = 32
    /// The largest power of two that a slice may be aligned to, as its exponent.
    private static let alignmentLimit: UInt32 = 15

    private let slices: [Slice]

    struct Slice {
        let machine: UInt32
        let submachine: UInt32
        let extent: Extent
        let alignment: UInt32
        /// The offset of its entry.
        let position: UInt64

        init(_ fields: Fields, _ width: ImageClass, position: UInt64) {
            machine = fields.uint32(0)
            submachine = fields.uint32(4) & MachOHeader.submachineMask
            extent = Extent(at: fields.address(8, width), count: fields.address(8 + width.addressSize, width))
            alignment = fields.uint32(8 + 2 * width.addressSize)
            self.position = position
        }

        var architecture: UInt64 { UInt64(machine) << 32 | UInt64(submachine) }
    }

    init(parsing view: ImageView, _ width: ImageClass) throws(ImageFailure) {
        let header = Fields(try view.bytes(Extent(at: 0, count: 8), orRefuse: .truncatedHeader), .big)
        let count = header.uint32(4)
        guard count > 0 else { throw view.refusal(.emptyFat, at: 4) }
        guard count <= Self.sliceLimit else { throw view.refusal(.tooManyFatSlices, at: 4) }
        let entrySize = width == .bits32 ? 20 : 32
        let table = Extent(at: 8, count: UInt64(count) * UInt64(entrySize))
        let bytes = try view.bytes(table, orRefuse: .truncatedHeader)
        slices = (0..<Int(count)).map { index in
            Slice(
                Fields(bytes[(index * entrySize)...], .big), width, position: table.start + UInt64(index * entrySize))
        }
        for slice in slices { try Self.check(slice, behind: table, in: view) }
        if let slice = Extent.firstOverlap(among: slices.map(\.extent)) {
            throw view.refusal(.fatSlicesOverlap, at: slice.start)
        }
        var seen: Set<UInt64> = []
        for slice in slices where !seen.insert(slice.architecture).inserted {
            throw view.refusal(.duplicateArch, at: slice.position)
        }
    }

    private static func check(_ slice: Slice, behind table: Extent, in view: ImageView) throws(ImageFailure) {
        guard slice.alignment <= alignmentLimit, slice.extent.start % (1 << slice.alignment) == 0 else {
            throw view.refusal(.fatAlignment, at: slice.position)
        }
        guard slice.extent.start >= table.end, !slice.extent.isEmpty, view.contains(slice.extent) else {
            throw view.refusal(.fatSliceOutOfBounds, at: slice.position)
        }
    }

    /// The images of the slices, each of which is to be what its entry says.
    func images(of file: ImageView) throws(ImageFailure) -> [LoadableImage] {
        var images: [LoadableImage] = []
        for slice in slices {
            let view = ImageView(source: file.source, origin: slice.extent.start, size: slice.extent.length)
            guard case .machO(let form) = try Magic(of: view) else { throw view.refusal(.badMagic, at: 0) }
            let image = try LoadableImage(machO: view, form)
            guard image.machine == slice.machine, image.submachine == slice.submachine else {
                throw view.refusal(.fatArchMismatch, at: 4)
            }
            images.append(image)
        }
        return images
    }
}
