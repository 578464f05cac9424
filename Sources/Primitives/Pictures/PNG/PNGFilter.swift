/// The five ways in which a row of a PNG picture refers to the pixels before and above it (PNG specification, 9.2).
enum PNGFilter: UInt8 {
    case none, sub, up, average, paeth

    /// Restores `row` in place.
    /// - Parameters:
    ///   - previous: the restored row above, as long as `row`; zeros above the first.
    ///   - distance: bytes of a pixel, at least 1.
    func restore(_ row: inout [UInt8], previous: [UInt8], distance: Int) {
        switch self {
        case .none: return
        case .sub:
            for index in row.indices.dropFirst(distance) { row[index] &+= row[index - distance] }
        case .up:
            for index in row.indices { row[index] &+= previous[index] }
        case .average:
            for index in row.indices {
                let left = index >= distance ? Int(row[index - distance]) : 0
                row[index] &+= UInt8((left + Int(previous[index])) / 2)
            }
        case .paeth:
            for index in row.indices {
                let isFirst = index < distance
                row[index] &+= Self.predictor(
                    left: isFirst ? 0 : row[index - distance], above: previous[index],
                    aboveLeft: isFirst ? 0 : previous[index - distance])
            }
        }
    }

    /// The one of the three bytes that is nearest to left + above − aboveLeft.
    private static func predictor(left: UInt8, above: UInt8, aboveLeft: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(above) - Int(aboveLeft)
        let (toLeft, toAbove) = (abs(estimate - Int(left)), abs(estimate - Int(above)))
        let toAboveLeft = abs(estimate - Int(aboveLeft))
        if toLeft <= toAbove && toLeft <= toAboveLeft { return left }
        return toAbove <= toAboveLeft ? above : aboveLeft
    }
}
