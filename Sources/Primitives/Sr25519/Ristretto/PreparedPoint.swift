/// A point with odd multiples of itself and of 2³², 2⁶⁴, … 2²²⁴ times it, 1 to 15: one row for each 32 digits of a
/// scalar, so that a multiplication needs 32 doublings in place of 253. Takes 8 KB.
struct PreparedPoint: Sendable {
    private static let width = 5
    private static let rowLength = 1 << (width - 2)

    private let multiples: [AffineCachedPoint]

    init(_ point: RistrettoPoint) {
        multiples = point.edwards.multipleRows(count: Self.rowLength)
    }

    /// Whether s·B = k·A + R, for public scalars, B the base point and A this one.
    func isEqual(base s: PublicScalar, to k: PublicScalar, plus r: RistrettoPoint) -> Bool {
        let digits = NonAdjacentForm(.zero - k, width: Self.width)
        let baseDigits = NonAdjacentForm(s, width: BaseTable.width)
        let base = BaseTable.shared
        var sum = CompletedPoint.identity
        for index in stride(from: 31, through: 0, by: -1) {
            sum.double()
            for row in 0..<8 {
                let digit = digits[32 * row + index]
                if digit != 0 {
                    sum.add(multiples[row * Self.rowLength + Int(digit.magnitude) >> 1], negated: digit < 0)
                }
                sum.addBase(baseDigits[32 * row + index], row: row, base)
            }
        }
        return (EdwardsPoint(sum) - r.edwards).isIdentity
    }
}
