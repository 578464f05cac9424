import CEdwards25519

/// Odd multiples of the base point and of 2³², 2⁶⁴, … 2²²⁴ times it, 1 to 127: one row for each 32 digits of a scalar.
/// Made once.
enum BaseTable {
    static let width = 8
    static let rowLength = 1 << (width - 2)

    /// The table for Swift's arithmetic, 61 KB.
    static let shared: [AffineCachedPoint] = RistrettoPoint.basePoint.edwards.multipleRows(count: rowLength)
    /// The table for `CEdwards25519`, 82 KB.
    static let vectors: [cedwards25519_multiple] = RistrettoPoint.basePoint.edwards.vectorRows(count: rowLength)

    /// Where the multiple for the size of a digit stands.
    static func index(row: Int, digit: Int8) -> Int {
        row * rowLength + Int(digit.magnitude) >> 1
    }
}
