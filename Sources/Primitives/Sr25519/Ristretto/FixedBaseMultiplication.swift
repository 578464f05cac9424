extension RistrettoPoint {
    /// s·B for a public scalar and B the base point: 32 doublings, and some 28 additions from ``BaseTable``.
    ///
    /// Takes a time that depends on `s`; secret scalars go through libsodium.
    ///
    /// - Parameter s: 32 bytes, little-endian, below 2²⁵⁵.
    package static func multiplyBase(_ s: [UInt8]) -> RistrettoPoint {
        multiplyBase(PublicScalar(s))
    }

    static func multiplyBase(_ s: PublicScalar) -> RistrettoPoint {
        let digits = NonAdjacentForm(s, width: BaseTable.width)
        let base = BaseTable.shared
        var sum = CompletedPoint.identity
        for index in stride(from: 31, through: 0, by: -1) {
            sum.double()
            for row in 0..<8 { sum.addBase(digits[32 * row + index], row: row, base) }
        }
        return RistrettoPoint(edwards: EdwardsPoint(sum))
    }
}
