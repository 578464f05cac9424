extension BinaryImage {
    /// Dark is what lies below one threshold for the whole picture: the one that splits it into the two groups whose
    /// means are farthest apart (Otsu's method).
    init(globalThresholdOf image: LumaImage) {
        let threshold = Self.threshold(Self.histogram(image))
        self.init(width: image.width, height: image.height, pixels: image.pixels.mapped { $0 < threshold ? 1 : 0 })
    }

    /// How many pixels have each grey level.
    private static func histogram(_ image: LumaImage) -> [Int] {
        // Neighbours are often alike: two tables, so that one count need not wait for the other.
        var tables = [Int](repeating: 0, count: 512)
        tables.withUnsafeMutableBufferPointer { tables in
            image.pixels.withUnsafeBufferPointer { pixels in
                // A pixel is below 256, and half the table is added at most.
                for index in pixels.indices { tables[Int(pixels[index]) + index % 2 * 256] += 1 }
            }
        }
        return (0..<256).map { tables[$0] + tables[$0 + 256] }
    }

    private static func threshold(_ histogram: [Int]) -> UInt8 {
        let total = Double(histogram.reduce(0, +))
        let weight = Double(histogram.enumerated().reduce(0) { $0 + $1.offset * $1.element })
        var best: (spread: Double, threshold: UInt8) = (0, 128)
        var (count, sum) = (0.0, 0.0)
        for value in 0..<255 {
            count += Double(histogram[value])
            sum += Double(value * histogram[value])
            guard count > 0, count < total else { continue }
            let distance = sum / count - (weight - sum) / (total - count)
            let spread = count * (total - count) * distance * distance
            if spread > best.spread { best = (spread, UInt8(value + 1)) }
        }
        return best.threshold
    }
}
