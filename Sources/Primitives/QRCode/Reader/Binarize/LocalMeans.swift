/// The mean brightness around each cell of a picture, by an integral image of the cells (`raptorq-qr` section 14,
/// step 1).
struct LocalMeans {
    /// Pixels of a cell's side: small against the neighbourhood, so that one threshold serves all of them.
    static let cell = 8
    /// The neighbourhood's side is twice this part of the picture's shorter one: it then holds the finders of small
    /// symbols that fill the picture, and is small against shadows.
    private static let radiusDivisor = 10
    /// Grey levels that a pixel must be darker than the mean, so that even areas are light.
    private static let bias = 3

    private let columns: Int
    /// Row by row, rounded down and up: the mean of what is inverted is 255 less the one that is rounded up.
    private let means: [(down: UInt8, up: UInt8)]

    init(_ image: LumaImage) {
        let sums = CellSums(image)
        let radius = max(1, min(image.width, image.height) / Self.radiusDivisor / Self.cell)
        columns = sums.columns
        means = (0..<sums.rows).flatMap { row in
            (0..<sums.columns).map { column in
                let sum = sums.around(row: row, column: column, radius: radius)
                let (mean, rest) = sum.x.quotientAndRemainder(dividingBy: sum.y)
                // A mean of bytes, and below 255 where something is left.
                return (UInt8(mean), UInt8(mean + min(rest, 1)))
            }
        }
    }

    /// Limits for each column of a row of cells: the brightness below which a pixel is dark, or above which it is when
    /// black and white are exchanged.
    func limits(row: Int, isInverted: Bool, into limits: inout [UInt8]) {
        for column in 0..<columns {
            let mean = means[row * columns + column]
            let limit = isInverted ? min(Int(mean.up) + Self.bias, 255) : max(Int(mean.down) - Self.bias, 0)
            let end = min((column + 1) * Self.cell, limits.count)
            for x in column * Self.cell..<end { limits[x] = UInt8(limit) }
        }
    }
}

/// An integral image of cells.
private struct CellSums {
    let columns: Int
    let rows: Int
    /// Brightness and pixels of all cells above and to the left; with a row and a column of zeros.
    private let sums: [SIMD2<Int>]

    init(_ image: LumaImage) {
        let cell = LocalMeans.cell
        let columns = (image.width + cell - 1) / cell
        self.columns = columns
        rows = (image.height + cell - 1) / cell
        var sums = [SIMD2<Int>](repeating: .zero, count: (columns + 1) * (rows + 1))
        // Zeros behind the last pixel fill the last cell.
        var line = [UInt16](repeating: 0, count: columns * cell)
        for row in 0..<rows {
            let lines = row * cell..<min((row + 1) * cell, image.height)
            Self.add(image, lines, to: &line)
            var sum = SIMD2<Int>.zero
            line.withUnsafeBytes { line in
                for column in 0..<columns {
                    let cells = line.loadUnaligned(fromByteOffset: column * 2 * cell, as: SIMD8<UInt16>.self)
                    // The sum of 64 bytes at the most.
                    sum.x &+= Int(cells.wrappedSum())
                    sum.y &+= min(cell, image.width - column * cell) * lines.count
                    let index = (row + 1) * (columns + 1) + column + 1
                    sums[index] = sums[index - columns - 1] &+ sum
                }
            }
        }
        self.sums = sums
    }

    /// Sums of columns over at most ``LocalMeans/cell`` lines.
    private static func add(_ image: LumaImage, _ lines: Range<Int>, to line: inout [UInt16]) {
        image.pixels.withUnsafeBufferPointer { pixels in
            line.withUnsafeMutableBufferPointer { line in
                for x in line.indices { line[x] = 0 }
                for y in lines {
                    // As long as the picture is wide, and the line no shorter.
                    let pixels = UnsafeBufferPointer(rebasing: pixels[y * image.width..<(y + 1) * image.width])
                    for x in pixels.indices { line[x] &+= UInt16(pixels[x]) }
                }
            }
        }
    }

    /// Brightness and pixels of the cells that are at most `radius` cells away.
    func around(row: Int, column: Int, radius: Int) -> SIMD2<Int> {
        let top = max(row - radius, 0) * (columns + 1)
        let bottom = min(row + radius + 1, rows) * (columns + 1)
        let (left, right) = (max(column - radius, 0), min(column + radius + 1, columns))
        return sums[bottom + right] &- sums[bottom + left] &- sums[top + right] &+ sums[top + left]
    }
}
