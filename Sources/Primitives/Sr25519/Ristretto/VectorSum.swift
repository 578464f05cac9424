import CEdwards25519

/// Sums of multiples of points on `CEdwards25519`: the doublings are shared by all terms, each of which has a table of
/// its odd multiples.
enum VectorSum {
    /// Terms whose tables stand in memory at once, 80 KB. More would share their doublings, but larger blocks are taken
    /// from the system and given back each time; measured.
    private static let mostTerms = 64
    /// The base point has two columns of so many digits.
    private static let baseRowWidth = 128

    /// s·B − Σ kᵢ·Pᵢ, for B the base point.
    static func difference(base s: PublicScalar, _ terms: [MultiscalarTerm]) -> EdwardsPoint {
        let first = part(base: s, terms.prefix(mostTerms))
        return stride(from: mostTerms, to: terms.count, by: mostTerms).reduce(first) { sum, start in
            sum + part(base: .zero, terms[start...].prefix(mostTerms))
        }
    }

    private static func part(base s: PublicScalar, _ terms: ArraySlice<MultiscalarTerm>) -> EdwardsPoint {
        // A non-adjacent form may have one digit more than there are bits.
        let digitCount = 1 + (terms.lazy.map(\.scalar.bitWidth).max() ?? 0)
        // The table of a wider digit takes time that only long scalars repay; measured.
        let width = digitCount > baseRowWidth + 1 ? 5 : 4
        let rowLength = 1 << (width - 2)
        var digits = VectorDigits(positions: max(digitCount, baseRowWidth), columns: 2 + terms.count)
        digits.write(s, width: BaseTable.width, column: 0, rowWidth: baseRowWidth)
        for (column, term) in zip(2..., terms) {
            digits.write(term.scalar, negated: true, width: width, column: column)
        }
        let multiples = [cedwards25519_multiple](unsafeUninitializedCapacity: terms.count * rowLength) { table, count in
            for term in terms {
                let row = table[count..<count + rowLength]
                term.point.edwards.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: row))
                count += rowLength
            }
        }
        return BaseTable.vectors.withUnsafeBufferPointer { base in
            let baseRows = base.rows(length: BaseTable.rowLength)
            return multiples.withUnsafeBufferPointer { multiples in
                digits.sum([baseRows[0], baseRows[4]] + multiples.rows(length: rowLength))
            }
        }
    }
}
