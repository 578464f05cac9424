extension RistrettoPoint {
    /// s·B for a public scalar: 64 additions from a table of multiples and four doublings.
    ///
    /// Takes a time that depends on `s`; secret scalars go through libsodium.
    ///
    /// - Parameter s: 32 bytes, little-endian, below 2²⁵⁵.
    package static func multiplyBase(_ s: [UInt8]) -> RistrettoPoint {
        let digits = signedRadix16(s)
        let table = FixedBaseTable.shared
        var sum = CompletedPoint.identity
        for index in stride(from: 1, to: 64, by: 2) { table.add(digits[index], row: index / 2, to: &sum) }
        for _ in 0..<4 { sum.double() }
        for index in stride(from: 0, to: 64, by: 2) { table.add(digits[index], row: index / 2, to: &sum) }
        return RistrettoPoint(edwards: EdwardsPoint(sum))
    }

    /// Sixty-four digits from −8 to 8, least significant first.
    private static func signedRadix16(_ scalar: [UInt8]) -> InlineArray<64, Int8> {
        precondition(scalar.count == 32, "a scalar has 32 bytes")
        var digits = InlineArray<64, Int8>(repeating: 0)
        for index in 0..<32 {
            digits[2 * index] = Int8(scalar[index] & 15)
            digits[2 * index + 1] = Int8(scalar[index] >> 4)
        }
        var carry: Int8 = 0
        for index in 0..<63 {
            digits[index] += carry
            carry = (digits[index] + 8) >> 4
            digits[index] -= carry << 4
        }
        digits[63] += carry
        return digits
    }
}

/// Row i, column j: (j + 1)·256ⁱ·B. Made once, 30 KB.
private struct FixedBaseTable: Sendable {
    static let shared = FixedBaseTable()

    private let multiples: [AffineCachedPoint]

    private init() {
        var base = RistrettoPoint.basePoint.edwards
        var points: [EdwardsPoint] = []
        for _ in 0..<32 {
            let step = base.cached
            var multiple = base
            for column in 0..<8 {
                if column > 0 { multiple = EdwardsPoint(CompletedPoint(multiple, plus: step)) }
                points.append(multiple)
            }
            base = base.doubled(times: 8)
        }
        multiples = AffineCachedPoint.table(points)
    }

    @inline(__always)
    func add(_ digit: Int8, row: Int, to sum: inout CompletedPoint) {
        guard digit != 0 else { return }
        sum.add(multiples[8 * row + Int(digit.magnitude) - 1], negated: digit < 0)
    }
}
