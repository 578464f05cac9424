/// A picture in two colours. Whether a pixel is dark is told when asked, since most are never asked for.
struct BinaryImage: Sendable {
    /// Pixels of a cell's side, a power of two: all of a cell are dark below the same brightness.
    static let cell = 8

    private let image: LumaImage
    /// For each cell, row by row, the brightness below which a pixel is dark; of an inverted picture the inverted one.
    private let limits: [UInt8]
    private let isInverted: Bool

    var width: Int { image.width }
    var height: Int { image.height }

    /// - Parameters:
    ///   - limits: one for each cell, row by row: the brightness below which a pixel is dark.
    ///   - isInverted: whether black and white are exchanged before.
    init(_ image: LumaImage, limits: [UInt8], isInverted: Bool) {
        let (columns, rows) = Self.cells(image)
        precondition(limits.count == columns * rows)
        self.image = image
        self.limits = limits
        self.isInverted = isInverted
    }

    /// How many cells a picture has; the last ones may lie in it only in part.
    static func cells(_ image: LumaImage) -> (columns: Int, rows: Int) {
        ((image.width + cell - 1) / cell, (image.height + cell - 1) / cell)
    }

    /// - Returns: false outside of the picture.
    func isDark(x: Int, y: Int) -> Bool {
        guard x >= 0, y >= 0, x < width, y < height else { return false }
        return withPixels { $0.isDark(x: x, y: y) }
    }

    /// Lends the pixels to what looks at many.
    func withPixels<Result>(_ body: (BinaryPixels) -> Result) -> Result {
        image.pixels.withUnsafeBytes { pixels in
            limits.withUnsafeBytes { limits in
                body(
                    BinaryPixels(
                        width: width, height: height, flip: isInverted ? .max : .min, pixels: pixels, limits: limits))
            }
        }
    }
}

/// The pixels of a picture in two colours, by places that are not checked.
struct BinaryPixels {
    let width: Int
    let height: Int
    /// The bits of a pixel that are exchanged before it is compared with a limit: all, or none.
    let flip: UInt8
    /// Row by row.
    let pixels: UnsafeRawBufferPointer
    /// One for each cell, row by row.
    private let limits: UnsafeRawBufferPointer
    /// Cells of a row.
    let columns: Int

    fileprivate init(
        width: Int, height: Int, flip: UInt8, pixels: UnsafeRawBufferPointer, limits: UnsafeRawBufferPointer
    ) {
        self.width = width
        self.height = height
        self.flip = flip
        self.pixels = pixels
        self.limits = limits
        columns = (width + BinaryImage.cell - 1) / BinaryImage.cell
    }

    /// - Parameters:
    ///   - x, y: a place in the picture.
    @inline(__always)
    func isDark(x: Int, y: Int) -> Bool {
        let bits = BinaryImage.cell.trailingZeroBitCount
        return pixels[y &* width &+ x] ^ flip < limits[(y &>> bits) &* columns &+ x &>> bits]
    }

    /// The limits of a row of cells.
    func limits(row: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: limits[row * columns..<(row + 1) * columns])
    }
}
