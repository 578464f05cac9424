/// Signed digits of a public scalar, odd or zero, at most one non-zero in `width` neighbours.
struct NonAdjacentForm {
    private var digits = InlineArray<257, Int8>(repeating: 0)

    subscript(index: Int) -> Int8 { digits.span[index] }

    /// - Parameters:
    ///   - scalar: below 2²⁵⁵.
    ///   - width: 2 to 8.
    init(_ scalar: PublicScalar, width: Int) {
        Self.forEachDigit(of: scalar, width: width) { digits[$0] = $1 }
    }

    /// Hands each digit that is not zero to `body` with its position, lowest first.
    @inline(__always)
    static func forEachDigit(of scalar: PublicScalar, width: Int, _ body: (Int, Int8) -> Void) {
        precondition((2...8).contains(width), "a digit of such a width fits into a byte")
        let window = UInt64(1) << UInt64(width)
        var carry: UInt64 = 0
        var position = 0
        while position < 256 {
            let bits = scalar.bits(at: position)
            // Digits that are zero: bits equal to the carry, which they hand on.
            let zeros = (bits ^ (0 &- carry)).trailingZeroBitCount
            position += zeros
            guard zeros <= 64 - width else { continue }
            let value = carry + bits >> UInt64(zeros) & (window - 1)
            carry = value < window / 2 ? 0 : 1
            body(position, Int8(truncatingIfNeeded: Int(value) - Int(carry * window)))
            position += width
        }
    }
}
