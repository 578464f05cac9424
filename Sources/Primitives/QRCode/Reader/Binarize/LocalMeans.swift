/// The mean brightness around each cell of a picture, by an integral image of the cells (`raptorq-qr` section 14,
/// step 1). A cell is small against its neighbourhood, so that one limit serves all of its pixels.
struct LocalMeans {
    /// The neighbourhood's side is twice this part of the picture's shorter one: it then holds the finders of small
    /// symbols that fill the picture, and is small against shadows.
    private static let radiusDivisor = 10
    /// Grey levels that a pixel must be darker than the mean, so that even areas are light.
    private static let bias: UInt8 = 3

    /// For each cell, row by row, rounded down.
    private let means: [UInt8]
    /// Those of the inverted picture: what the means, rounded up, lack of 255.
    private let invertedMeans: [UInt8]

    init(_ image: LumaImage) {
        let sums = CellSums(image)
        let radius = max(1, min(image.width, image.height) / Self.radiusDivisor / BinaryImage.cell)
        let count = sums.columns * sums.rows
        var invertedMeans = [UInt8](repeating: 0, count: count)
        means = [UInt8](unsafeUninitializedCapacity: count) { means, filled in
            sums.forEachNeighbourhood(radius: radius) { around in
                let (mean, rest) = around.brightness.quotientAndRemainder(dividingBy: around.pixels)
                // A mean of bytes, and below 255 where something is left.
                means[around.cell] = UInt8(truncatingIfNeeded: mean)
                invertedMeans[around.cell] = ~UInt8(truncatingIfNeeded: mean &+ (rest == 0 ? 0 : 1))
            }
            filled = count
        }
        self.invertedMeans = invertedMeans
    }

    /// The brightness of each cell below which a pixel is dark.
    ///
    /// - Parameter isInverted: whether black and white are exchanged first.
    func limits(isInverted: Bool) -> [UInt8] {
        (isInverted ? invertedMeans : means).mapped { max($0, Self.bias) &- Self.bias }
    }
}

/// An integral image of cells.
private struct CellSums {
    let columns: Int
    let rows: Int
    private let width: Int
    private let height: Int
    /// Brightness of all cells above and to the left; with a row and a column of zeros.
    private let sums: [Int]

    init(_ image: LumaImage) {
        let cell = BinaryImage.cell
        (columns, rows) = BinaryImage.cells(image)
        (width, height) = (image.width, image.height)
        let (columns, rows, width) = (columns, rows, width)
        var sums = [Int](repeating: 0, count: (columns + 1) * (rows + 1))
        var cells = [UInt32](repeating: 0, count: columns)
        image.pixels.withUnsafeBytes { pixels in
            for row in 0..<rows {
                let lines = row * cell * width..<min((row + 1) * cell * width, pixels.count)
                Self.add(UnsafeRawBufferPointer(rebasing: pixels[lines]), width: width, to: &cells)
                let before = row * (columns + 1) + 1
                var sum = 0
                for column in 0..<columns {
                    sum &+= Int(cells[column])
                    sums[before + columns + 1 + column] = sums[before + column] &+ sum
                }
            }
        }
        self.sums = sums
    }

    /// Sums up the cells of a row.
    ///
    /// - Parameter lines: at most as many as a cell is high.
    private static func add(_ lines: UnsafeRawBufferPointer, width: Int, to cells: inout [UInt32]) {
        let cell = BinaryImage.cell
        let several = SIMD4<UInt64>.scalarCount
        let whole = width / cell / several * several
        for column in stride(from: 0, to: whole, by: several) {
            // Eight bytes are added as four numbers of 16 bits, in which there is room for those of eight lines.
            var sum = SIMD4<UInt64>.zero
            for start in stride(from: column &* cell, to: lines.count, by: width) {
                let bytes = lines.loadUnaligned(fromByteOffset: start, as: SIMD4<UInt64>.self)
                sum &+= (bytes & 0x00ff_00ff_00ff_00ff) &+ (bytes &>> 8 & 0x00ff_00ff_00ff_00ff)
            }
            sum = (sum & 0x0000_ffff_0000_ffff) &+ (sum &>> 16 & 0x0000_ffff_0000_ffff)
            sum = sum &+ sum &>> 32
            for index in 0..<several { cells[column + index] = UInt32(truncatingIfNeeded: sum[index]) }
        }
        for column in whole..<cells.count {
            let places = column * cell..<min((column + 1) * cell, width)
            cells[column] = stride(from: 0, to: lines.count, by: width).reduce(0) { sum, line in
                places.reduce(sum) { $0 &+ UInt32(lines[line + $1]) }
            }
        }
    }

    /// What the cells amount to that are near one.
    struct Neighbourhood {
        /// The index of the one in the middle.
        let cell: Int
        /// The brightness of all pixels together.
        let brightness: Int
        /// How many there are.
        let pixels: Int
    }

    /// Sums up the cells that are at most `radius` cells away from each.
    func forEachNeighbourhood(radius: Int, _ body: (Neighbourhood) -> Void) {
        let cell = BinaryImage.cell
        sums.withUnsafeBufferPointer { sums in
            for row in 0..<rows {
                let (top, bottom) = (max(row - radius, 0), min(row + radius + 1, rows))
                let high = min(bottom * cell, height) - top * cell
                let (upper, lower) = (top * (columns + 1), bottom * (columns + 1))
                for column in 0..<columns {
                    let (left, right) = (max(column &- radius, 0), min(column &+ radius &+ 1, columns))
                    let below = sums[lower &+ right] &- sums[lower &+ left]
                    let above = sums[upper &+ right] &- sums[upper &+ left]
                    let wide = min(right &* cell, width) &- left &* cell
                    body(
                        Neighbourhood(
                            cell: row &* columns &+ column, brightness: below &- above, pixels: wide &* high))
                }
            }
        }
    }
}
