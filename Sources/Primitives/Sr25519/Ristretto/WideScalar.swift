/// A public number of 512 bits, least significant word first: products that are added up before they are reduced, once,
/// modulo the group order.
struct WideScalar {
    private(set) var words = InlineArray<8, UInt64>(repeating: 0)

    static let zero = WideScalar()

    private init() {}

    init(_ factor: UInt128, times scalar: PublicScalar) {
        for i in 0..<2 {
            let word = UInt128(UInt64(truncatingIfNeeded: factor >> UInt128(64 * i)))
            var carry: UInt128 = 0
            for j in 0..<4 {
                let total = word * UInt128(scalar.words[j]) + UInt128(words[i + j]) + carry
                words[i + j] = UInt64(truncatingIfNeeded: total)
                carry = total >> 64
            }
            words[i + 4] = UInt64(truncatingIfNeeded: carry)
        }
    }

    /// Products of 384 bits leave room for 2¹²⁸ of them.
    static func += (sum: inout WideScalar, other: WideScalar) {
        var carry: UInt64 = 0
        for index in 0..<8 {
            let (word, overflow) = sum.words[index].addingReportingOverflow(other.words[index])
            let (total, carryOverflow) = word.addingReportingOverflow(carry)
            sum.words[index] = total
            carry = overflow || carryOverflow ? 1 : 0
        }
    }
}
