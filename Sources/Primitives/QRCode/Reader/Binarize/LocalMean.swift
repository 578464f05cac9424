extension BinaryImage {
    /// Dark is what is darker than the mean of its neighbourhood (`raptorq-qr` section 14, step 1).
    init(localMeanOf image: LumaImage) {
        let means = LocalMeans(image)
        let width = image.width
        var thresholds = [UInt8](repeating: 0, count: width)
        // All indices are below width times height.
        let pixels = [UInt8](unsafeUninitializedCapacity: image.pixels.count) { output, count in
            image.pixels.withUnsafeBufferPointer { input in
                for y in 0..<image.height {
                    if y % LocalMeans.cell == 0 { means.thresholds(row: y / LocalMeans.cell, into: &thresholds) }
                    let start = y * width
                    thresholds.withUnsafeBufferPointer { thresholds in
                        for x in 0..<width { output[start + x] = input[start + x] < thresholds[x] ? 1 : 0 }
                    }
                }
            }
            count = image.pixels.count
        }
        self.init(width: width, height: image.height, pixels: pixels)
    }
}

/// The mean brightness around each cell of a picture, by an integral image of the cells.
private struct LocalMeans {
    /// Pixels of a cell's side: small against the neighbourhood, so that one threshold serves all of them.
    static let cell = 8
    /// The neighbourhood's side is twice this part of the picture's shorter one: it then holds the finders of small
    /// symbols that fill the picture, and is small against shadows.
    private static let radiusDivisor = 10
    /// Grey levels that a pixel must be darker than the mean, so that even areas are light.
    private static let bias = 3

    private let width: Int
    private let columns: Int
    private let rows: Int
    /// Cells to each side.
    private let radius: Int
    /// Brightness and pixels of all cells above and to the left; with a row and a column of zeros.
    private let sums: [SIMD2<Int>]

    init(_ image: LumaImage) {
        let cell = Self.cell
        width = image.width
        let columns = (image.width + cell - 1) / cell
        self.columns = columns
        rows = (image.height + cell - 1) / cell
        radius = max(1, min(image.width, image.height) / Self.radiusDivisor / cell)
        var sums = [SIMD2<Int>](repeating: .zero, count: (columns + 1) * (rows + 1))
        var line = [UInt16](repeating: 0, count: image.width)
        for row in 0..<rows {
            let lines = row * cell..<min((row + 1) * cell, image.height)
            Self.add(image, lines, to: &line)
            var sum = SIMD2<Int>.zero
            for column in 0..<columns {
                let cells = column * cell..<min((column + 1) * cell, image.width)
                for x in cells { sum.x += Int(line[x]) }
                sum.y += cells.count * lines.count
                let index = (row + 1) * (columns + 1) + column + 1
                sums[index] = sums[index - columns - 1] &+ sum
            }
        }
        self.sums = sums
    }

    /// Sums of columns over at most ``cell`` lines.
    private static func add(_ image: LumaImage, _ lines: Range<Int>, to line: inout [UInt16]) {
        // All indices are below width times height.
        image.pixels.withUnsafeBufferPointer { pixels in
            line.withUnsafeMutableBufferPointer { line in
                for x in line.indices { line[x] = 0 }
                for y in lines {
                    let start = y * image.width
                    for x in line.indices { line[x] &+= UInt16(pixels[start + x]) }
                }
            }
        }
    }

    /// The brightness below which a pixel is dark, for each column of a row of cells.
    func thresholds(row: Int, into output: inout [UInt8]) {
        let top = max(row - radius, 0) * (columns + 1)
        let bottom = min(row + radius + 1, rows) * (columns + 1)
        for column in 0..<columns {
            let (left, right) = (max(column - radius, 0), min(column + radius + 1, columns))
            let sum = sums[bottom + right] &- sums[bottom + left] &- sums[top + right] &+ sums[top + left]
            let threshold = UInt8(max(sum.x / sum.y - Self.bias, 0))
            for x in column * Self.cell..<min((column + 1) * Self.cell, width) { output[x] = threshold }
        }
    }
}
