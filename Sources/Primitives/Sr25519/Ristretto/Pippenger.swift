/// Sums of many terms: the points with the same digit are added up first, and only these sums are multiplied.
enum Pippenger {
    /// The number of terms from which on this takes less time than ``Straus``; measured.
    static let leastCount = 240

    static func sum(_ terms: [MultiscalarTerm]) -> RistrettoPoint {
        let width = Self.width(for: terms.count)
        let windows = 254 / width + 1
        let points = AffineCachedPoint.table(terms.map(\.point.edwards))
        let digits = terms.flatMap { Self.digits(of: $0.scalar, width: width, count: windows) }
        var sum = EdwardsPoint.identity
        for window in stride(from: windows - 1, through: 0, by: -1) {
            var buckets = Buckets(count: 1 << (width - 1))
            for index in points.indices { buckets.add(points[index], digit: digits[index * windows + window]) }
            sum = sum.doubled(times: width) + buckets.weightedSum
        }
        return RistrettoPoint(edwards: sum)
    }

    /// The width of a digit that takes the fewest products. A point costs 7 for each digit, and every other scalar is
    /// half as long; a bucket costs 22, and there are 2^(width − 1).
    private static func width(for count: Int) -> Int {
        func products(_ width: Int) -> Int { (254 / width + 1) * (7 * 3 * count / 4 + 11 << width) }
        return (4...12).min { products($0) < products($1) } ?? 4
    }

    /// Digits from −2^(width − 1) to 2^(width − 1), least significant first.
    private static func digits(of scalar: PublicScalar, width: Int, count: Int) -> [Int16] {
        let half = 1 << (width - 1)
        var carry = 0
        return (0..<count).map { window in
            let value = Int(scalar.bits(at: window * width) & (1 << UInt64(width) - 1)) + carry
            carry = value > half ? 1 : 0
            return Int16(value - carry << width)
        }
    }

    /// The sums of the points by the size of their digits, from 1 on.
    private struct Buckets {
        private var sums: [CompletedPoint]

        init(count: Int) {
            sums = Array(repeating: .identity, count: count)
        }

        mutating func add(_ point: AffineCachedPoint, digit: Int16) {
            guard digit != 0 else { return }
            sums[Int(digit.magnitude) - 1].add(point, negated: digit < 0)
        }

        /// Each sum times the size of its digit: every one is in the sums of all that stand above it.
        var weightedSum: EdwardsPoint {
            var above = EdwardsPoint.identity
            var total = CompletedPoint.identity
            for sum in sums.reversed() {
                above = above + EdwardsPoint(sum)
                withUnsafePointer(to: above.cached) { total.add($0, negated: false) }
            }
            return EdwardsPoint(total)
        }
    }
}
