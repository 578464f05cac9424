import CEdwards25519

/// Sums of multiples of points on `CEdwards25519`: the doublings are shared by all terms, each of which has a table of its odd
/// multiples.
enum VectorSum {
    /// The tables of so many terms, 80 KB, stay in the cache of the processor.
    private static let mostTerms = 64

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
        let width = digitCount > VectorBaseTable.rowWidth + 1 ? 5 : 4
        let rowLength = 1 << (width - 2)
        var digits = Digits(
            positions: max(digitCount, VectorBaseTable.rowWidth), columns: VectorBaseTable.rowCount + terms.count)
        NonAdjacentForm.forEachDigit(of: s, width: VectorBaseTable.width) { position, digit in
            let (row, position) = position.quotientAndRemainder(dividingBy: VectorBaseTable.rowWidth)
            digits[position, column: row] = digit
        }
        for (index, term) in terms.enumerated() {
            NonAdjacentForm.forEachDigit(of: term.scalar, width: width) { position, digit in
                digits[position, column: VectorBaseTable.rowCount + index] = -digit
            }
        }
        let multiples = [cedwards25519_multiple](unsafeUninitializedCapacity: terms.count * rowLength) { table, count in
            for term in terms {
                let row = table[count..<count + rowLength]
                term.point.edwards.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: row))
                count += rowLength
            }
        }
        return VectorBaseTable.shared.withUnsafeBufferPointer { base in
            multiples.withUnsafeBufferPointer { multiples in
                digits.sum(rows(of: base, length: VectorBaseTable.rowLength) + rows(of: multiples, length: rowLength))
            }
        }
    }

    private static func rows(
        of multiples: UnsafeBufferPointer<cedwards25519_multiple>, length: Int
    ) -> [UnsafePointer<cedwards25519_multiple>?] {
        stride(from: 0, to: multiples.count, by: length).map { index in multiples.baseAddress.map { $0 + index } }
    }
}

/// Signed digits of many scalars, those of the same weight side by side.
private struct Digits {
    private let positionCount: Int
    /// A multiple of eight.
    private let columnCount: Int
    private var digits: [Int8]

    init(positions: Int, columns: Int) {
        positionCount = positions
        columnCount = (columns + 7) & ~7
        digits = Array(repeating: 0, count: positionCount * columnCount)
    }

    subscript(position: Int, column column: Int) -> Int8 {
        get { digits[position * columnCount + column] }
        set { digits[position * columnCount + column] = newValue }
    }

    /// The scalar of each column times its point.
    ///
    /// - Parameter tables: the odd multiples of the point of each column.
    func sum(_ tables: [UnsafePointer<cedwards25519_multiple>?]) -> EdwardsPoint {
        let padding = repeatElement(nil as UnsafePointer<cedwards25519_multiple>?, count: columnCount - tables.count)
        var sum = cedwards25519_point()
        cedwards25519_sum(digits, positionCount, columnCount, tables + padding, &sum)
        return EdwardsPoint(sum)
    }
}

/// Odd multiples of the base point and of 2¹²⁸ times it, 1 to 127: one row for each 128 digits of a scalar. Made once, 20 KB.
private enum VectorBaseTable {
    static let width = 8
    static let rowCount = 2
    static let rowLength = 1 << (width - 2)
    static let rowWidth = 128

    static let shared = [cedwards25519_multiple](unsafeUninitializedCapacity: rowCount * rowLength) { table, count in
        var point = RistrettoPoint.basePoint.edwards
        for row in 0..<rowCount {
            if row > 0 { point = point.doubled(times: rowWidth) }
            point.writeOddMultiples(to: UnsafeMutableBufferPointer(rebasing: table[count..<count + rowLength]))
            count += rowLength
        }
    }
}
