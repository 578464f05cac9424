/// Level and mask of a symbol (`raptorq-qr` sections 13.5 and 14).
struct FormatInformation: Equatable, Sendable {
    let level: QRLevel
    /// The number of the mask, 0 to 7.
    let mask: Int

    /// Bits that may be wrong.
    static let tolerance = 3

    /// The valid words, 15 bits each.
    private static let words: [(bits: Int, format: FormatInformation)] = QRLevel.allCases.flatMap { level in
        (0...7).map { (FunctionPatterns.formatBits(level, $0), FormatInformation(level: level, mask: $0)) }
    }

    /// What the two copies say, the nearer to a valid word first; empty if both are too far from any.
    static func candidates(_ grid: ModuleGrid) -> [(format: FormatInformation, distance: Int)] {
        var copies = [0, 0]
        for bit in 0..<15 {
            for (copy, place) in FunctionPatterns.formatPlaces(bit, size: grid.size).enumerated() {
                copies[copy] |= grid[place.x, place.y] ? 1 << bit : 0
            }
        }
        var found = copies.compactMap(nearest).sorted { $0.distance < $1.distance }
        if found.count == 2 && found[0].format == found[1].format { found.removeLast() }
        return found
    }

    private static func nearest(_ bits: Int) -> (format: FormatInformation, distance: Int)? {
        for (valid, format) in words {
            let distance = (valid ^ bits).nonzeroBitCount
            // Valid words differ in seven bits at the least, so that no other is as near.
            if distance <= tolerance { return (format, distance) }
        }
        return nil
    }
}
