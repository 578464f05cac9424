extension RistrettoPoint {
    /// k·A + s·B for public scalars, B the base point: one pass over both non-adjacent forms (Straus).
    ///
    /// - Parameters:
    ///   - k: 32 bytes, little-endian, below L.
    ///   - s: the same.
    package static func multiply(_ k: [UInt8], _ a: RistrettoPoint, plusBase s: [UInt8]) -> RistrettoPoint {
        let kDigits = NonAdjacentForm(k, width: 5)
        let sDigits = NonAdjacentForm(s, width: 8)
        let aMultiples = OddMultiples(of: a.edwards)
        let baseMultiples = BaseTable.shared
        var index = max(kDigits.top, sDigits.top)
        guard index >= 0 else { return .identity }
        var sum = ProjectivePoint(x: .zero, y: .one, z: .one)
        while true {
            var completed = sum.doubled
            let kDigit = kDigits[index]
            if kDigit != 0 {
                let multiple = aMultiples[Int(kDigit.magnitude) >> 1]
                let point = EdwardsPoint(completed)
                completed = kDigit > 0 ? CompletedPoint(point, plus: multiple) : CompletedPoint(point, minus: multiple)
            }
            let sDigit = sDigits[index]
            if sDigit != 0 {
                let multiple = baseMultiples[Int(sDigit.magnitude) >> 1]
                let point = EdwardsPoint(completed)
                completed = sDigit > 0 ? CompletedPoint(point, plus: multiple) : CompletedPoint(point, minus: multiple)
            }
            if index == 0 { return RistrettoPoint(edwards: EdwardsPoint(completed)) }
            sum = ProjectivePoint(completed)
            index -= 1
        }
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

/// B, 3B, …, 127B of the base point, made once.
private enum BaseTable {
    static let shared: [AffineCachedPoint] = {
        let base = RistrettoPoint.basePoint.edwards
        let double = EdwardsPoint(base.projective.doubled).cached
        var multiple = base
        return (0..<64).map { index in
            if index > 0 { multiple = EdwardsPoint(CompletedPoint(multiple, plus: double)) }
            return AffineCachedPoint(multiple)
        }
    }()
}
