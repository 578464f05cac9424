/// A summand of a multiplication by many scalars.
struct MultiscalarTerm {
    let scalar: PublicScalar
    let point: EdwardsPoint
}

extension RistrettoPoint {
    /// Whether s·B + Σ kᵢ·Pᵢ is the identity, for public scalars below L and B the base point.
    ///
    /// Straus' method: the doublings are shared by all terms, each of which has a table of its own.
    static func isIdentity(base s: PublicScalar, _ terms: [MultiscalarTerm]) -> Bool {
        let width = 5
        let rowLength = 1 << (width - 2)
        let tables = [CachedPoint](unsafeUninitializedCapacity: terms.count * rowLength) { tables, count in
            for (index, term) in terms.enumerated() {
                let row = index * rowLength..<(index + 1) * rowLength
                term.point.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: tables[row]))
            }
            count = tables.count
        }
        // All digits of one position stand side by side.
        var digits = [Int8](repeating: 0, count: 256 * terms.count)
        for (index, term) in terms.enumerated() {
            NonAdjacentForm.forEachDigit(of: term.scalar.words, width: width) {
                digits[$0 * terms.count + index] = $1
            }
        }
        let baseDigits = NonAdjacentForm(s.words, width: BaseTable.width)
        let base = BaseTable.shared
        var sum = CompletedPoint.identity
        tables.withUnsafeBufferPointer { tables in
            for position in stride(from: 255, through: 0, by: -1) {
                sum.double()
                for index in terms.indices {
                    let row = index * rowLength..<(index + 1) * rowLength
                    sum.add(digits[position * terms.count + index], of: UnsafeBufferPointer(rebasing: tables[row]))
                }
                sum.addBase(baseDigits[position], row: 0, base)
            }
        }
        return EdwardsPoint(sum).isIdentity
    }
}
