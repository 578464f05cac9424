/// The brightness of each module, and where it splits into dark and light (`raptorq-qr` section 14, step 5).
struct ModuleSamples: Sendable {
    let size: Int
    /// Row by row, 0 to 255.
    private let values: [Float]

    private init(size: Int, values: [Float]) {
        self.size = size
        self.values = values
    }

    /// Samples a picture.
    ///
    /// - Parameter offset: in modules, added to the middle of each.
    init(_ image: LumaImage, _ geometry: SymbolGeometry, offset: Place = .zero) {
        let size = geometry.version.size
        self.size = size
        let isFine = geometry.isFine
        var places = [SIMD2<Float>](repeating: .zero, count: size)
        let values = [Float](unsafeUninitializedCapacity: size * size) { values, count in
            for y in 0..<size {
                geometry.row(y, offset: offset, into: &places)
                let row = UnsafeMutableBufferPointer(rebasing: values[y * size..<(y + 1) * size])
                image.sample(places, isFine: isFine, into: row)
            }
            count = size * size
        }
        self.values = values
    }

    /// Takes away what the four neighbours of each module add to it.
    ///
    /// - Parameter share: of each neighbour.
    func sharpened(_ share: Float) -> ModuleSamples {
        let size = size
        let sharp = [Float](unsafeUninitializedCapacity: values.count) { sharp, count in
            // Every index is below size times size.
            values.withUnsafeBufferPointer { values in
                for y in 0..<size {
                    let (above, row, below) = (max(y - 1, 0) * size, y * size, min(y + 1, size - 1) * size)
                    func sharpen(_ x: Int, left: Int, right: Int) {
                        let value = values[row + x]
                        let neighbours =
                            values[above + x] + values[below + x] + values[row + left] + values[row + right]
                        sharp[row + x] = value + share * (4 * value - neighbours)
                    }
                    sharpen(0, left: 0, right: 1)
                    for x in 1..<size - 1 { sharpen(x, left: x - 1, right: x + 1) }
                    sharpen(size - 1, left: size - 2, right: size - 1)
                }
            }
            count = values.count
        }
        return ModuleSamples(size: size, values: sharp)
    }

    /// How far the modules are from their mean, squared, on average.
    var contrast: Float {
        let mean = values.reduce(0, +) / Float(values.count)
        return values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(values.count)
    }

    /// Modules as dark and light.
    struct Split {
        let grid: ModuleGrid
        fileprivate let values: [Float]
        fileprivate let thresholds: [Float]

        /// How far each module is from being the other.
        var margins: [UInt8] { zip(values, thresholds).map { UInt8(min(abs($0 - $1), 255)) } }
    }

    /// Splits modules into dark and light ones: those are dark that are darker than the mean around them.
    func split() -> Split {
        let thresholds = means()
        let cells = [Bool](unsafeUninitializedCapacity: values.count) { cells, count in
            // As many as there are modules, each.
            values.withUnsafeBufferPointer { values in
                thresholds.withUnsafeBufferPointer { thresholds in
                    for index in values.indices { cells[index] = values[index] < thresholds[index] }
                }
            }
            count = values.count
        }
        return Split(grid: ModuleGrid(size: size, cells: cells), values: values, thresholds: thresholds)
    }

    /// The mean around each module.
    private func means() -> [Float] {
        let sums = ColumnSums(size: size)
        defer { sums.deallocate() }
        return [Float](unsafeUninitializedCapacity: values.count) { means, count in
            values.withUnsafeBufferPointer { sums.writeMeans(of: $0, into: means) }
            count = values.count
        }
    }
}

/// Sums of each column, over the rows around one that moves down, from which come the means around its modules.
///
/// Every index is below size times size, or size: versions have more modules than the radius.
private struct ColumnSums {
    let size: Int
    private let columns: UnsafeMutableBufferPointer<Float>
    /// The sum of all columns to the left of each, and of all.
    private let sums: UnsafeMutableBufferPointer<Float>

    /// Modules to each side whose mean is the threshold.
    private static let radius = 7

    /// - Parameter size: modules of a row, and rows.
    init(size: Int) {
        self.size = size
        columns = .allocate(capacity: size)
        sums = .allocate(capacity: size + 1)
    }

    func deallocate() {
        columns.deallocate()
        sums.deallocate()
    }

    /// - Parameters:
    ///   - values: row by row.
    ///   - means: takes as many.
    func writeMeans(of values: UnsafeBufferPointer<Float>, into means: UnsafeMutableBufferPointer<Float>) {
        columns.initialize(repeating: 0)
        sums.initialize(repeating: 0)
        for y in 0..<Self.radius { for x in 0..<size { columns[x] += values[y * size + x] } }
        for y in 0..<size {
            move(to: y, values)
            writeMeans(around: y, into: means)
        }
    }

    private func move(to y: Int, _ values: UnsafeBufferPointer<Float>) {
        let (entering, leaving) = ((y + Self.radius) * size, (y - Self.radius - 1) * size)
        if y + Self.radius < size { for x in 0..<size { columns[x] += values[entering + x] } }
        if y > Self.radius { for x in 0..<size { columns[x] -= values[leaving + x] } }
        for x in 0..<size { sums[x + 1] = sums[x] + columns[x] }
    }

    private func writeMeans(around y: Int, into means: UnsafeMutableBufferPointer<Float>) {
        let radius = Self.radius
        let rows = min(y + radius, size - 1) - max(y - radius, 0) + 1
        func mean(_ x: Int, from left: Int, to right: Int) {
            means[y * size + x] = (sums[right] - sums[left]) / Float((right - left) * rows)
        }
        for x in 0..<radius { mean(x, from: 0, to: x + radius + 1) }
        // Nearly all have as many modules around: a loop that becomes vector instructions.
        let count = Float((2 * radius + 1) * rows)
        for x in radius..<size - radius {
            means[y &* size &+ x] = (sums[x &+ radius &+ 1] - sums[x &- radius]) / count
        }
        for x in size - radius..<size { mean(x, from: x - radius, to: size) }
    }
}

extension LumaImage {
    /// The brightness at each place.
    ///
    /// - Parameter isFine: of four pixels around it instead of nine.
    func values(at places: [SIMD2<Float>], isFine: Bool) -> [Float] {
        [Float](unsafeUninitializedCapacity: places.count) { values, count in
            sample(places, isFine: isFine, into: UnsafeMutableBufferPointer(rebasing: values[..<places.count]))
            count = places.count
        }
    }

    fileprivate func sample(
        _ places: [SIMD2<Float>], isFine: Bool, into output: UnsafeMutableBufferPointer<Float>
    ) {
        if isFine { interpolate(places, into: output) } else { average(places, into: output) }
    }

    /// The value at each place, between the four pixels around it. Outside of the picture the edge goes on.
    private func interpolate(_ places: [SIMD2<Float>], into output: UnsafeMutableBufferPointer<Float>) {
        let (lastX, lastY) = (Float(width - 2), Float(height - 2))
        pixels.withUnsafeBufferPointer { pixels in
            for (index, place) in places.enumerated() {
                let (placeX, placeY) = (
                    (place.x - 0.5).within(first: 0, last: lastX), (place.y - 0.5).within(first: 0, last: lastY)
                )
                let (x, y) = (Int(placeX), Int(placeY))
                let (partX, partY) = (placeX - Float(x), placeY - Float(y))
                let first = y * width + x
                let upper = Float(pixels[first]) * (1 - partX) + Float(pixels[first + 1]) * partX
                let lower = Float(pixels[first + width]) * (1 - partX) + Float(pixels[first + width + 1]) * partX
                output[index] = upper * (1 - partY) + lower * partY
            }
        }
    }

    /// The mean of three by three pixels at each place. Outside of the picture the edge goes on.
    private func average(_ places: [SIMD2<Float>], into output: UnsafeMutableBufferPointer<Float>) {
        let (lastX, lastY) = (Float(width - 2), Float(height - 2))
        pixels.withUnsafeBufferPointer { pixels in
            for (index, place) in places.enumerated() {
                let middle =
                    Int(place.y.within(first: 1, last: lastY)) * width + Int(place.x.within(first: 1, last: lastX))
                var sum = 0
                for row in stride(from: middle - width - 1, through: middle + width - 1, by: width) {
                    sum &+= Int(pixels[row]) &+ Int(pixels[row + 1]) &+ Int(pixels[row + 2])
                }
                output[index] = Float(sum) / 9
            }
        }
    }
}

extension Float {
    /// The nearest number of a range; the first for what is none.
    fileprivate func within(first: Float, last: Float) -> Float {
        self >= first ? (self < last ? self : last) : first
    }
}
