import CEdwards25519

/// A point with odd multiples of itself and of 2³², 2⁶⁴, … 2²²⁴ times it, 1 to 15: one row for each 32 digits of a
/// scalar, so that a multiplication needs 32 doublings in place of 253. Takes 8 or 10 KB.
struct PreparedPoint: Sendable {
    private enum Multiples {
        case portable([AffineCachedPoint])
        case vector([cedwards25519_multiple])
    }

    private static let width = 5
    private static let rowLength = 1 << (width - 2)

    private let multiples: Multiples

    init(_ point: RistrettoPoint, on arithmetic: CurveArithmetic = .fastest) {
        multiples =
            switch arithmetic {
            case .portable: .portable(point.edwards.multipleRows(count: Self.rowLength))
            case .vector: .vector(point.edwards.vectorRows(count: Self.rowLength))
            }
    }

    /// Whether s·B = k·A + R, for public scalars, B the base point and A this one.
    func isEqual(base s: PublicScalar, to k: PublicScalar, plus r: RistrettoPoint) -> Bool {
        let difference =
            switch multiples {
            case .portable(let multiples): Self.difference(base: s, k, multiples)
            case .vector(let multiples): Self.difference(base: s, k, multiples)
            }
        return (difference - r.edwards).isIdentity
    }

    /// s·B − k·A.
    private static func difference(
        base s: PublicScalar, _ k: PublicScalar, _ multiples: [AffineCachedPoint]
    ) -> EdwardsPoint {
        let digits = NonAdjacentForm(.zero - k, width: width)
        let baseDigits = NonAdjacentForm(s, width: BaseTable.width)
        let base = BaseTable.shared
        var sum = CompletedPoint.identity
        for index in stride(from: 31, through: 0, by: -1) {
            sum.double()
            for row in 0..<8 {
                let digit = digits[32 * row + index]
                if digit != 0 {
                    sum.add(multiples[row * rowLength + Int(digit.magnitude) >> 1], negated: digit < 0)
                }
                sum.addBase(baseDigits[32 * row + index], row: row, base)
            }
        }
        return EdwardsPoint(sum)
    }

    /// s·B − k·A.
    private static func difference(
        base s: PublicScalar, _ k: PublicScalar, _ multiples: [cedwards25519_multiple]
    ) -> EdwardsPoint {
        var digits = VectorDigits(positions: 32, columns: 16)
        digits.write(s, width: BaseTable.width, column: 0, rowWidth: 32)
        digits.write(k, negated: true, width: width, column: 8, rowWidth: 32)
        return BaseTable.vectors.withUnsafeBufferPointer { base in
            multiples.withUnsafeBufferPointer { multiples in
                digits.sum(base.rows(length: BaseTable.rowLength) + multiples.rows(length: rowLength))
            }
        }
    }
}
