/// Two numbers of half the size whose quotient is a given public scalar: what makes a verification with 128 doublings do
/// (Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated Verification of ECDSA Signatures", 2005).
///
/// For a scalar k, below the group order L: `numerator ≡ ±denominator · k (mod L)`, both below 2¹²⁷, `denominator` not zero.
struct HalfSizeScalars {
    let numerator: UInt128
    let denominator: UInt128
    /// Whether the congruence holds with a minus.
    let isNegative: Bool

    private static let order = Wide(
        high: 0x1000_0000_0000_0000_0000_0000_0000_0000, low: 0x14de_f9de_a2f7_9cd6_5812_631a_5cf5_d3ed)

    /// - Parameter scalar: 32 bytes, little-endian, below L.
    init(_ scalar: [UInt8]) {
        // Euclid's algorithm on L and k, stopped half way. The factors of k alternate in sign and only their sizes are kept.
        var (previous, current) = (Self.order, Wide(scalar))
        var (previousFactor, factor): (UInt128, UInt128) = (0, 1)
        var isNegative = false
        while current.bitWidth > 127 {
            while !(previous < current) {
                var shift = previous.bitWidth - current.bitWidth
                if previous < current.shifted(by: shift) { shift -= 1 }
                previous.subtract(current.shifted(by: shift))
                previousFactor &+= factor << UInt128(shift)
            }
            (previous, current) = (current, previous)
            (previousFactor, factor) = (factor, previousFactor)
            isNegative.toggle()
        }
        numerator = current.low
        denominator = factor
        self.isNegative = isNegative
    }

    /// 256 bits.
    private struct Wide {
        var high: UInt128
        var low: UInt128

        init(high: UInt128, low: UInt128) {
            self.high = high
            self.low = low
        }

        init(_ bytes: [UInt8]) {
            precondition(bytes.count == 32, "a scalar has 32 bytes")
            high = bytes[16...].reversed().reduce(0) { $0 << 8 | UInt128($1) }
            low = bytes[..<16].reversed().reduce(0) { $0 << 8 | UInt128($1) }
        }

        @inline(__always)
        var bitWidth: Int {
            high == 0 ? 128 - low.leadingZeroBitCount : 256 - high.leadingZeroBitCount
        }

        /// The bits that leave at the top are zero where this is used.
        @inline(__always)
        func shifted(by count: Int) -> Wide {
            guard count > 0 else { return self }
            guard count < 128 else { return Wide(high: low << UInt128(count - 128), low: 0) }
            return Wide(high: high << UInt128(count) | low >> UInt128(128 - count), low: low << UInt128(count))
        }

        @inline(__always)
        mutating func subtract(_ other: Wide) {
            let (difference, borrow) = low.subtractingReportingOverflow(other.low)
            low = difference
            high = high &- other.high &- (borrow ? 1 : 0)
        }

        @inline(__always)
        static func < (a: Wide, b: Wide) -> Bool {
            a.high == b.high ? a.low < b.low : a.high < b.high
        }
    }
}

extension UInt128 {
    /// 32 bytes, little-endian.
    var scalarBytes: [UInt8] {
        (0..<32).map { $0 < 16 ? UInt8(truncatingIfNeeded: self >> UInt128(8 * $0)) : 0 }
    }
}
