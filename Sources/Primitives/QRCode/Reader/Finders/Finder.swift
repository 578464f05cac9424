/// A finder pattern that may be one: a square in a square in a square.
struct Finder: Equatable, Sendable {
    /// The middle, in pixels from the picture's top left corner.
    var centre: Place
    /// Pixels of a module along a row and along a column of the picture: for a turned pattern more than its side.
    var unit: SIMD2<Double>
    /// Rows in which it was found.
    var hits = 1
    /// Rows that are looked at: one in so many.
    var rowStep = 2

    /// Pixels of a module but for the turn: the square root of the product of both units.
    var size: Double { (unit.x * unit.y).squareRoot() }

    /// The part of the rows through its core in which it was found, 1 at the most.
    var support: Double { min(1, Double(hits * rowStep) / (3 * unit.y)) }

    func isSame(as other: Finder) -> Bool {
        let offset = centre - other.centre
        let ratio = size / other.size
        return max(abs(offset.x), abs(offset.y)) < 2 * size && ratio > 0.6 && ratio < 1.6
    }

    /// The mean of both, weighed by their rows.
    func merged(with other: Finder) -> Finder {
        let part = Double(other.hits) / Double(hits + other.hits)
        return Finder(
            centre: centre + (other.centre - centre) * part, unit: unit + (other.unit - unit) * part,
            hits: hits + other.hits, rowStep: rowStep)
    }
}
