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
    static func candidates(_ finders: [Finder]) -> [FinderTriple] {
        let finders = Array(finders.prefix(finderLimit))
        let measures = finders.map(Measure.init)
        var ranking = Ranking(limit: limit)
        for corner in finders.indices {
            let arms = finders.indices.filter { $0 != corner && measures[corner].isPair(with: measures[$0]) }.map {
                Arm(finder: $0, measure: measures[$0], offset: finders[$0].centre - finders[corner].centre)
            }
            for index in arms.indices {
                for another in arms[..<index] {
                    let deviation = deviation(at: measures[corner], from: arms[index], and: another)
                    guard deviation < ranking.bound else { continue }
                    ranking.add((deviation, corner, arms[index].finder, another.finder))
                }
            }
        }
        return ranking.best.map {
            FinderTriple(corner: finders[$0.corner], other: finders[$0.other], another: finders[$0.another])
        }
    }

    /// What of a finder each of its triples asks for.
    private struct Measure {
        let size: Double
        let support: Double

        init(_ finder: Finder) { (size, support) = (finder.size, finder.support) }

        func isPair(with other: Measure) -> Bool {
            let ratio = size / other.size
            return ratio > 0.4 && ratio < 2.5
        }
    }

    /// The triples that deviate least, and of those that deviate as much the first ones.
    private struct Ranking {
        typealias Entry = (deviation: Double, corner: Int, other: Int, another: Int)

        private let limit: Int
        private var entries: [Entry] = []
        /// What comes later must deviate less to be among the best.
        private(set) var bound = Double.infinity

        init(limit: Int) { self.limit = limit }

        /// - Parameter entry: one that deviates less than ``bound``.
        mutating func add(_ entry: Entry) {
            entries.append(entry)
            guard entries.count == 2 * limit else { return }
            entries = best
            bound = entries[limit - 1].deviation
        }

        var best: [Entry] { Array(entries.sorted { $0.deviation < $1.deviation }.prefix(limit)) }
    }

    /// A finder as it is seen from the corner.
    private struct Arm {
        let finder: Int
        let measure: Measure
        let offset: Place
        let length: Double

        init(finder: Int, measure: Measure, offset: Place) {
            (self.finder, self.measure, self.offset) = (finder, measure, offset)
            length = offset.length
        }
    }

    /// How far three finders are from a square's corners of one size and from being sure, 0 at the best; infinite if
    /// they are no symbol's.
    @inline(__always)
    private static func deviation(at corner: Measure, from other: Arm, and another: Arm) -> Double {
        let (one, two) = (other.measure, another.measure)
        let (shorter, longer) = (min(other.length, another.length), max(other.length, another.length))
        let smallest = min(corner.size, min(one.size, two.size))
        let largest = max(corner.size, max(one.size, two.size))
        let skew = abs(other.offset.dot(another.offset)) / (other.length * another.length)
        // Finders of version 1 are 14 modules apart, those of version 40 are 170, foreshortened by half at the most.
        // By far the most triples are none, each by another of these: no branch between them could be predicted.
        let ofLengths = max(longer - 2 * shorter, max(9 * smallest - shorter, shorter - 200 * largest))
        let excess = max(max(largest - 2.5 * smallest, ofLengths), skew - 0.6)
        let doubt = 1 - min(corner.support, min(one.support, two.support))
        let deviation = skew + longer / shorter + largest / smallest - 2 + 2 * doubt
        return excess < 0 ? deviation : .infinity
    }

    /// - Parameter corner: the one at the right angle.
    init(corner: Finder, other: Finder, another: Finder) {
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
