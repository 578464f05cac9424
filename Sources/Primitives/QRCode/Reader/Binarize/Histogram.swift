/// How many pixels of a picture have each brightness.
struct Histogram {
    private let counts: [Int]

    init(_ image: LumaImage) {
        // Neighbours are often alike: four tables, so that one count need not wait for the other.
        var tables = [UInt32](repeating: 0, count: 4 * 256)
        tables.withUnsafeMutableBufferPointer { tables in
            image.pixels.withUnsafeBytes { pixels in
                let whole = pixels.count & ~7
                for start in stride(from: 0, to: whole, by: 8) {
                    var word = pixels.loadUnaligned(fromByteOffset: start, as: UInt64.self)
                    for table in 0..<8 {
                        // A byte is below 256, and three tables of that size are added at most.
                        tables[(table & 3) << 8 | Int(word & 0xff)] &+= 1
                        word >>= 8
                    }
                }
                for index in whole..<pixels.count { tables[Int(pixels[index])] &+= 1 }
            }
        }
        counts = (0..<256).map { value in (0..<4).reduce(0) { $0 + Int(tables[$1 << 8 | value]) } }
    }

    /// The brightness below which a pixel is dark.
    ///
    /// - Parameter isInverted: whether black and white are exchanged first.
    func limit(isInverted: Bool) -> UInt8 { Self.threshold(isInverted ? counts.reversed() : counts) }

    /// The brightness that splits the pixels into the two groups whose means are farthest apart (Otsu's method).
    private static func threshold(_ counts: [Int]) -> UInt8 {
        let total = Double(counts.reduce(0, +))
        let weight = Double(counts.enumerated().reduce(0) { $0 + $1.offset * $1.element })
        var best: (spread: Double, threshold: UInt8) = (0, 128)
        var (count, sum) = (0.0, 0.0)
        for value in 0..<255 {
            count += Double(counts[value])
            sum += Double(value * counts[value])
            guard count > 0, count < total else { continue }
            let distance = sum / count - (weight - sum) / (total - count)
            let spread = count * (total - count) * distance * distance
            if spread > best.spread { best = (spread, UInt8(value + 1)) }
        }
        return best.threshold
    }
}
