/// Signed digits of a public scalar, odd or zero, at most one non-zero in `width` neighbours.
struct NonAdjacentForm {
    private var digits = InlineArray<257, Int8>(repeating: 0)

    subscript(index: Int) -> Int8 { digits.span[index] }

    /// - Parameters:
    ///   - words: a number below 2²⁵⁵, the least significant word first.
    ///   - width: 2 to 8.
    init(_ words: SIMD4<UInt64>, width: Int) {
        Self.forEachDigit(of: words, width: width) { digits[$0] = $1 }
    }

    /// Hands each digit that is not zero to `body` with its position, lowest first.
    @inline(__always)
    static func forEachDigit(of words: SIMD4<UInt64>, width: Int, _ body: (Int, Int8) -> Void) {
        precondition((2...8).contains(width), "a digit of such a width fits into a byte")
        let window = UInt64(1) << UInt64(width)
        var carry: UInt64 = 0
        var position = 0
        while position < 256 {
            let bits = bits(of: words, at: position)
            // Digits that are zero: bits equal to the carry, which they hand on.
            let zeros = (carry == 0 ? bits : ~bits).trailingZeroBitCount
            guard zeros == 0 else {
                position += zeros
                continue
            }
            let value = carry + bits & (window - 1)
            carry = value < window / 2 ? 0 : 1
            body(position, Int8(truncatingIfNeeded: Int(value) - Int(carry * window)))
            position += width
        }
    }

    /// The 64 bits from a position below 256 on, with zeros above the highest word.
    @inline(__always)
    private static func bits(of words: SIMD4<UInt64>, at position: Int) -> UInt64 {
        let (word, bit) = (position >> 6, UInt64(position & 63))
        guard bit > 0, word < 3 else { return words[word] >> bit }
        return words[word] >> bit | words[word + 1] << (64 - bit)
    }
}
