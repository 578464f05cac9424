extension RistrettoPoint {
    /// Whether s·B = k·A + R, for public scalars and B the base point.
    ///
    /// Multiplied by a factor that makes the scalar of A half as long, the equation needs 128 doublings in place of 256; the
    /// scalar of B is cut in two, with a table for the upper half. The group has prime order, so the factor loses nothing.
    ///
    /// - Parameters:
    ///   - s: 32 bytes, little-endian, below L.
    ///   - k: the same.
    package static func isEqual(
        base s: [UInt8], to k: [UInt8], times a: RistrettoPoint, plus r: RistrettoPoint
    ) -> Bool {
        // With n ≡ ±d·k:  (d·s)·B = ±n·A + d·R.
        let half = HalfSizeScalars(k)
        let scaled = Scalar.multiply(half.denominator.scalarBytes, s)
        let zeros = [UInt8](repeating: 0, count: 16)
        let (a, r) = (half.isNegative ? a.edwards : a.edwards.negated, r.edwards.negated)
        let terms = (
            a: NonAdjacentForm(half.numerator.scalarBytes, width: 5),
            r: NonAdjacentForm(half.denominator.scalarBytes, width: 5),
            low: NonAdjacentForm(scaled[..<16] + zeros, width: 8),
            high: NonAdjacentForm(scaled[16...] + zeros, width: 8)
        )
        let (aMultiples, rMultiples) = (OddMultiples(of: a), OddMultiples(of: r))
        let (lowTable, highTable) = (BaseTable.low, BaseTable.high)
        var index = max(terms.a.top, terms.r.top, terms.low.top, terms.high.top)
        var sum = ProjectivePoint(x: .zero, y: .one, z: .one)
        var last = CompletedPoint(x: .zero, y: .one, z: .one, t: .one)
        while index >= 0 {
            last = sum.doubled
            last.add(terms.a[index], aMultiples)
            last.add(terms.r[index], rMultiples)
            last.add(terms.low[index], lowTable)
            last.add(terms.high[index], highTable)
            sum = ProjectivePoint(last)
            index -= 1
        }
        // The identity of ristretto255 is represented by the four points with x = 0 or y = 0.
        return sum.x.isZero || sum.y.isZero
    }
}

extension CompletedPoint {
    /// Adds a multiple of a point by its signed digit; zero adds nothing.
    @inline(__always)
    fileprivate mutating func add(_ digit: Int8, _ multiples: borrowing OddMultiples) {
        guard digit != 0 else { return }
        let multiple = multiples[Int(digit.magnitude) >> 1]
        let point = EdwardsPoint(self)
        self = digit > 0 ? CompletedPoint(point, plus: multiple) : CompletedPoint(point, minus: multiple)
    }

    @inline(__always)
    fileprivate mutating func add(_ digit: Int8, _ multiples: [AffineCachedPoint]) {
        guard digit != 0 else { return }
        let multiple = multiples[Int(digit.magnitude) >> 1]
        let point = EdwardsPoint(self)
        self = digit > 0 ? CompletedPoint(point, plus: multiple) : CompletedPoint(point, minus: multiple)
    }
}

/// Signed digits of a scalar, odd or zero, at most one non-zero in `width` neighbours.
struct NonAdjacentForm {
    private var digits = InlineArray<257, Int8>(repeating: 0)
    /// Index of the highest digit that is not zero, or −1.
    private(set) var top = -1

    subscript(index: Int) -> Int8 { digits[index] }

    /// - Parameters:
    ///   - scalar: 32 bytes, little-endian, below 2²⁵³, public.
    ///   - width: 2 to 8.
    init(_ scalar: [UInt8], width: Int) {
        precondition(scalar.count == 32, "a scalar has 32 bytes")
        var words = InlineArray<5, UInt64>(repeating: 0)
        for index in 0..<32 { words[index >> 3] |= UInt64(scalar[index]) << UInt64(8 * (index & 7)) }
        let window = UInt64(1) << UInt64(width)
        var carry: UInt64 = 0
        var position = 0
        while position < 256 {
            let word = position >> 6
            let bit = UInt64(position & 63)
            var bits = words[word] >> bit
            if Int(bit) > 64 - width { bits |= words[word + 1] << (64 - bit) }
            let value = carry + bits & (window - 1)
            if value & 1 == 0 {
                position += 1
                continue
            }
            if value < window / 2 {
                carry = 0
                digits[position] = Int8(value)
            } else {
                carry = 1
                digits[position] = Int8(Int(value) - Int(window))
            }
            top = position
            position += width
        }
    }
}

/// P, 3P, …, 15P.
private struct OddMultiples {
    private var multiples: InlineArray<8, CachedPoint>

    init(of point: EdwardsPoint) {
        let double = EdwardsPoint(point.projective.doubled)
        multiples = InlineArray(repeating: point.cached)
        for index in 1..<8 {
            multiples[index] = EdwardsPoint(CompletedPoint(double, plus: multiples[index - 1])).cached
        }
    }

    subscript(index: Int) -> CachedPoint { multiples[index] }
}

/// Odd multiples of the base point and of 2¹²⁸ times it, 1 to 127, made once.
private enum BaseTable {
    static let low = oddMultiples(of: RistrettoPoint.basePoint.edwards)

    static let high: [AffineCachedPoint] = {
        var point = RistrettoPoint.basePoint.edwards
        for _ in 0..<128 { point = EdwardsPoint(point.projective.doubled) }
        return oddMultiples(of: point)
    }()

    private static func oddMultiples(of point: EdwardsPoint) -> [AffineCachedPoint] {
        let double = EdwardsPoint(point.projective.doubled).cached
        var multiple = point
        return (0..<64).map { index in
            if index > 0 { multiple = EdwardsPoint(CompletedPoint(multiple, plus: double)) }
            return AffineCachedPoint(multiple)
        }
    }
}
