extension BinaryImage {
    /// Dark is what lies below one threshold for the whole picture: the one that splits it into the two groups whose means are
    /// farthest apart (Otsu's method).
    init(globalThresholdOf image: LumaImage) {
        var histogram = [Int](repeating: 0, count: 256)
        for pixel in image.pixels { histogram[Int(pixel)] += 1 }
        let threshold = Self.threshold(histogram)
        self.init(width: image.width, height: image.height, pixels: image.pixels.map { $0 < threshold ? 1 : 0 })
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
