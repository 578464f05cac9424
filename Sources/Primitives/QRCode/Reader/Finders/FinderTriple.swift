/// Three finder patterns that may belong to one symbol (`raptorq-qr` section 14, step 3).
struct FinderTriple: Equatable, Sendable {
    let topLeft: Finder
    /// The finder at the top right. It and the next one have the order of a symbol that is not mirrored.
    let topRight: Finder
    let bottomLeft: Finder

    /// Triples that are tried at the most.
    private static let limit = 400
    /// Patterns of which triples are made: those of sixteen codes.
    private static let finderLimit = 48

    /// All plausible triples, the best first.
    static func candidates(_ finders: [Finder]) -> some Sequence<FinderTriple> {
        let finders = Array(finders.prefix(finderLimit))
        var candidates: [(deviation: Double, corner: Int, other: Int, another: Int)] = []
        for corner in finders.indices {
            for other in finders.indices where other != corner && isPair(finders[corner], with: finders[other]) {
                for another in finders[..<other].indices
                where another != corner && isPair(finders[corner], with: finders[another]) {
                    if let deviation = deviation(at: finders[corner], from: finders[other], and: finders[another]) {
                        candidates.append((deviation, corner, other, another))
                    }
                }
            }
        }
        return candidates.sorted { $0.deviation < $1.deviation }.prefix(limit).lazy.map {
            FinderTriple(corner: finders[$0.corner], other: finders[$0.other], another: finders[$0.another])
        }
    }

    private static func isPair(_ one: Finder, with other: Finder) -> Bool {
        let ratio = one.size / other.size
        return ratio > 0.4 && ratio < 2.5
    }

    /// How far three finders are from a square's corners of one size and from being sure, 0 at the best; nil if they
    /// are no symbol's.
    private static func deviation(at corner: Finder, from other: Finder, and another: Finder) -> Double? {
        let (a, b) = (other.centre - corner.centre, another.centre - corner.centre)
        let (shorter, longer) = (min(a.length, b.length), max(a.length, b.length))
        let smallest = min(corner.size, other.size, another.size)
        let largest = max(corner.size, other.size, another.size)
        // Finders of version 1 are 14 modules apart, those of version 40 are 170, foreshortened by half at the most.
        guard longer < 2 * shorter, largest < 2.5 * smallest, shorter > 9 * smallest, shorter < 200 * largest else {
            return nil
        }
        let skew = abs(a.dot(b)) / (a.length * b.length)
        guard skew < 0.6 else { return nil }
        let doubt = 1 - min(corner.support, other.support, another.support)
        return skew + longer / shorter + largest / smallest - 2 + 2 * doubt
    }

    /// - Parameter corner: the one at the right angle.
    private init(corner: Finder, other: Finder, another: Finder) {
        topLeft = corner
        let isClockwise = (other.centre - corner.centre).cross(another.centre - corner.centre) > 0
        (topRight, bottomLeft) = isClockwise ? (other, another) : (another, other)
    }

    var finders: [Finder] { [topLeft, topRight, bottomLeft] }

    /// Modules between the centres of two finders: their distance in units of the geometric mean of both, which is
    /// exact under perspective.
    private static func modules(from one: Finder, to other: Finder) -> Double {
        let offset = other.centre - one.centre
        // A line through a turned square is longer than its side by the cosine.
        let cosine = max(abs(offset.x), abs(offset.y)) / offset.length
        return offset.length / ((one.size * other.size).squareRoot() * cosine)
    }

    /// The side of the symbol in modules, about.
    var side: Double {
        (Self.modules(from: topLeft, to: topRight) + Self.modules(from: topLeft, to: bottomLeft)) / 2 + 7
    }

    /// The map from modules to pixels, the fourth corner being where the sizes of the finders let expect it: a
    /// pattern's area goes with the inverse cube of the homogeneous coordinate.
    func homography(side: Int) -> Homography? {
        let weights = finders.map { weight($0) }
        let fourthWeight = weights[1] + weights[2] - weights[0]
        guard fourthWeight > 0.2 else { return nil }
        let sum = topRight.centre * weights[1] + bottomLeft.centre * weights[2] - topLeft.centre * weights[0]
        let far = Double(side) - 3.5
        return Homography(
            [Place(3.5, 3.5), Place(far, 3.5), Place(far, far), Place(3.5, far)],
            to: [topLeft.centre, topRight.centre, sum / fourthWeight, bottomLeft.centre])
    }

    private func weight(_ finder: Finder) -> Double {
        // The cube root of the ratio of areas; near 1, so that one step of Newton's method does.
        let ratio = (topLeft.unit.x * topLeft.unit.y) / (finder.unit.x * finder.unit.y)
        var root = 1 + (ratio - 1) / 3
        for _ in 0..<4 { root -= (root * root * root - ratio) / (3 * root * root) }
        return root
    }
}
