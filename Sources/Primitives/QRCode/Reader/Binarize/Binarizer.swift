/// Splits a picture into dark and light in two ways, as it is and inverted; its brightness is summed once for both.
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

    init(_ image: LumaImage) { self.image = image }

    /// - Parameter isInverted: whether black and white are exchanged first.
    mutating func split(at threshold: Threshold, isInverted: Bool) -> BinaryImage {
        BinaryImage(image, limits: limits(threshold, isInverted), isInverted: isInverted)
    }

    private mutating func limits(_ threshold: Threshold, _ isInverted: Bool) -> [UInt8] {
        switch threshold {
        case .localMean: return means.limits(isInverted: isInverted)
        case .global:
            let (columns, rows) = BinaryImage.cells(image)
            return [UInt8](repeating: histogram.limit(isInverted: isInverted), count: columns * rows)
        }
    }
}
