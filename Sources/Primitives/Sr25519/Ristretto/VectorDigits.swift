import CEdwards25519

/// Signed digits of scalars, those of the same weight side by side: the columns of a sum on `CEdwards25519`.
struct VectorDigits {
    private let positionCount: Int
    /// A multiple of eight.
    private let columnCount: Int
    private var digits: [Int8]

    init(positions: Int, columns: Int) {
        positionCount = positions
        columnCount = (columns + 7) & ~7
        digits = Array(repeating: 0, count: positionCount * columnCount)
    }

    /// Writes the non-adjacent form of a scalar.
    ///
    /// - Parameters:
    ///   - column: the first one. Each takes `rowWidth` digits, for a table whose rows are multiples of P, 2^rowWidth ·
    ///     P, ….
    ///   - negated: writes the digits of −k.
    mutating func write(
        _ k: PublicScalar, negated: Bool = false, width: Int, column: Int, rowWidth: Int = 256
    ) {
        digits.withUnsafeMutableBufferPointer { digits in
            NonAdjacentForm.forEachDigit(of: k, width: width) { position, digit in
                let (row, position) = position.quotientAndRemainder(dividingBy: rowWidth)
                digits[position * columnCount + column + row] = negated ? -digit : digit
            }
        }
    }

    /// Σ kᵢ·Pᵢ.
    ///
    /// - Parameter tables: the odd multiples of the point of each column.
    func sum(_ tables: [UnsafePointer<cedwards25519_multiple>?]) -> EdwardsPoint {
        let padding = repeatElement(nil as UnsafePointer<cedwards25519_multiple>?, count: columnCount - tables.count)
        var sum = cedwards25519_point()
        cedwards25519_sum(digits, positionCount, columnCount, tables + padding, &sum)
        return EdwardsPoint(sum)
    }
}

extension UnsafeBufferPointer<cedwards25519_multiple> {
    /// The starts of the rows of a table.
    func rows(length: Int) -> [UnsafePointer<cedwards25519_multiple>?] {
        stride(from: 0, to: count, by: length).map { index in baseAddress.map { $0 + index } }
    }
}
