/// Splits a picture into dark and light in two ways, as it is and inverted: brightness is summed once for both, and all
/// splits lie in the same memory, one after the other.
struct Binarizer {
    /// Where dark ends.
    enum Threshold: CaseIterable {
        /// At the mean of each pixel's neighbourhood (``LocalMeans``).
        case localMean
        /// At one brightness for the whole picture (``Histogram``).
        case global
    }

    private let image: LumaImage
    private lazy var means = LocalMeans(image)
    private lazy var histogram = Histogram(image)
    /// What the last split gave, written over by the next unless somebody still has it.
    private var pixels: [UInt8]

    init(_ image: LumaImage) {
        self.image = image
        pixels = [UInt8](repeating: 0, count: image.pixels.count)
    }

    /// - Parameter isInverted: whether black and white are exchanged first.
    mutating func split(at threshold: Threshold, isInverted: Bool) -> BinaryImage {
        let rowsOfOne: Int
        var limits: [UInt8]
        switch threshold {
        case .localMean:
            rowsOfOne = LocalMeans.cell
            limits = [UInt8](repeating: 0, count: image.width)
        case .global:
            rowsOfOne = image.height
            limits = [UInt8](repeating: histogram.limit(isInverted: isInverted), count: image.width)
        }
        for top in stride(from: 0, to: image.height, by: rowsOfOne) {
            if threshold == .localMean {
                means.limits(row: top / rowsOfOne, isInverted: isInverted, into: &limits)
            }
            for y in top..<min(top + rowsOfOne, image.height) { compare(row: y, limits, isInverted) }
        }
        return BinaryImage(width: image.width, height: image.height, pixels: pixels)
    }

    /// Dark is what lies below the limit of its column; inverted, what lies above.
    private mutating func compare(row: Int, _ limits: [UInt8], _ isInverted: Bool) {
        let places = row * image.width..<(row + 1) * image.width
        image.pixels.withUnsafeBufferPointer { input in
            limits.withUnsafeBufferPointer { limits in
                pixels.withUnsafeMutableBufferPointer { output in
                    let input = UnsafeBufferPointer(rebasing: input[places])
                    let output = UnsafeMutableBufferPointer(rebasing: output[places])
                    // All three have the picture's width; both loops become vector instructions.
                    if isInverted {
                        for x in limits.indices { output[x] = limits[x] < input[x] ? 1 : 0 }
                    } else {
                        for x in limits.indices { output[x] = input[x] < limits[x] ? 1 : 0 }
                    }
                }
            }
        }
    }
}
