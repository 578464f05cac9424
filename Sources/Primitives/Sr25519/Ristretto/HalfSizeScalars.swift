/// Two numbers of half the size whose quotient is a given public scalar: with them a verification needs 128 doublings
/// only (Antipa, Brown, Gallant, Lambert, Struik, Vanstone, "Accelerated Verification of ECDSA Signatures", 2005).
///
/// For a scalar k, below the group order L: `numerator ≡ ±denominator · k (mod L)`, both below 2¹²⁷, `denominator` not
/// zero.
struct HalfSizeScalars {
    let numerator: UInt128
    let denominator: UInt128
    /// Whether the congruence holds with a minus.
    let isNegative: Bool

    /// Where Euclid's algorithm stops.
    private static let halfWidth = 127

    /// - Parameter scalar: below L.
    init(_ scalar: PublicScalar) {
        // Euclid's algorithm on L and k, stopped half way. The factors of k alternate in sign and only their sizes are
        // kept.
        var (previous, current) = (Wide.order, Wide(scalar))
        var (previousFactor, factor): (UInt128, UInt128) = (0, 1)
        var isNegative = false
        while current.bitWidth > Self.halfWidth {
            let run = QuotientRun(previous, over: current, downTo: Self.halfWidth)
            if run.count > 0 {
                (previous, current) = run.applied(to: previous, current)
                (previousFactor, factor) = (
                    run.u0 &* previousFactor &+ run.v0 &* factor, run.u1 &* previousFactor &+ run.v1 &* factor
                )
                if run.count & 1 == 1 { isNegative.toggle() }
            } else {
                previousFactor &+= factor &* previous.reduce(modulo: current)
                (previous, current) = (current, previous)
                (previousFactor, factor) = (factor, previousFactor)
                isNegative.toggle()
            }
        }
        numerator = current.low
        denominator = factor
        self.isNegative = isNegative
    }
}

/// Steps of Euclid's algorithm on the upper 62 bits of two long numbers, as many as are certain to have the quotients
/// of the numbers themselves (Lehmer's algorithm with the condition of Collins; Jebelean, "A Double-Digit Lehmer–Euclid
/// Algorithm for Finding the GCD of Long Integers", 1995).
///
/// After them the numbers are ±(u0·a − v0·b) and ∓(u1·a − v1·b), with the upper signs for an even count.
private struct QuotientRun {
    private(set) var count = 0
    private(set) var u0: UInt128 = 1
    private(set) var v0: UInt128 = 0
    private(set) var u1: UInt128 = 0
    private(set) var v1: UInt128 = 1

    /// - Parameter width: bits at which the smaller number is small enough.
    init(_ a: Wide, over b: Wide, downTo width: Int) {
        let shift = max(a.bitWidth - 62, 0)
        let floor = UInt64(1) << UInt64(max(width - shift, 0))
        var (x, y) = (a.word(at: shift), b.word(at: shift))
        var (u0, v0, u1, v1): (UInt64, UInt64, UInt64, UInt64) = (1, 0, 0, 1)
        while y >= floor {
            let (quotient, rest) = x.quotientAndRemainder(dividingBy: y)
            let (nextU, overflowU) = quotient.multipliedReportingOverflow(by: u1)
            let (nextV, overflowV) = quotient.multipliedReportingOverflow(by: v1)
            guard !overflowU, !overflowV, nextV < 1 << 62, rest >= v0 &+ nextV, y &- rest >= v0 &+ nextV &+ v1
            else { break }
            (x, y) = (y, rest)
            (u0, u1) = (u1, u0 &+ nextU)
            (v0, v1) = (v1, v0 &+ nextV)
            count += 1
        }
        (self.u0, self.v0, self.u1, self.v1) = (UInt128(u0), UInt128(v0), UInt128(u1), UInt128(v1))
    }

    func applied(to a: Wide, _ b: Wide) -> (Wide, Wide) {
        count & 1 == 0
            ? (Wide(u0, times: a, minus: v0, times: b), Wide(v1, times: b, minus: u1, times: a))
            : (Wide(v0, times: b, minus: u0, times: a), Wide(u1, times: a, minus: v1, times: b))
    }
}

/// A number of 256 bits.
private struct Wide {
    var high: UInt128
    var low: UInt128

    static let order = Wide(
        high: 0x1000_0000_0000_0000_0000_0000_0000_0000, low: 0x14de_f9de_a2f7_9cd6_5812_631a_5cf5_d3ed)

    init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    init(_ scalar: PublicScalar) {
        high = UInt128(scalar.words[3]) << 64 | UInt128(scalar.words[2])
        low = UInt128(scalar.words[1]) << 64 | UInt128(scalar.words[0])
    }

    /// m·a − n·b, for m and n below 2⁶⁴ and a result that is not negative.
    init(_ m: UInt128, times a: Wide, minus n: UInt128, times b: Wide) {
        self = a.multiplied(by: m)
        subtract(b.multiplied(by: n))
    }

    /// Modulo 2²⁵⁶.
    private func multiplied(by factor: UInt128) -> Wide {
        let lower = (low & UInt128(UInt64.max)) &* factor
        let upper = (low >> 64) &* factor &+ lower >> 64
        return Wide(high: high &* factor &+ upper >> 64, low: upper << 64 | lower & UInt128(UInt64.max))
    }

    @inline(__always)
    var bitWidth: Int {
        high == 0 ? 128 - low.leadingZeroBitCount : 256 - high.leadingZeroBitCount
    }

    /// The 64 bits from a position on.
    func word(at position: Int) -> UInt64 {
        guard position < 128 else { return UInt64(truncatingIfNeeded: high >> UInt128(position - 128)) }
        guard position > 0 else { return UInt64(truncatingIfNeeded: low) }
        return UInt64(truncatingIfNeeded: high << UInt128(128 - position) | low >> UInt128(position))
    }

    /// Leaves the remainder.
    ///
    /// - Returns: the quotient, which is below 2¹²⁸.
    mutating func reduce(modulo divisor: Wide) -> UInt128 {
        var quotient: UInt128 = 0
        while !(self < divisor) {
            var shift = bitWidth - divisor.bitWidth
            if self < divisor.shifted(by: shift) { shift -= 1 }
            subtract(divisor.shifted(by: shift))
            quotient |= 1 << UInt128(shift)
        }
        return quotient
    }

    /// The bits that leave at the top are zero where this is used.
    @inline(__always)
    private func shifted(by count: Int) -> Wide {
        guard count > 0 else { return self }
        guard count < 128 else { return Wide(high: low << UInt128(count - 128), low: 0) }
        return Wide(high: high << UInt128(count) | low >> UInt128(128 - count), low: low << UInt128(count))
    }

    @inline(__always)
    private mutating func subtract(_ other: Wide) {
        let (difference, borrow) = low.subtractingReportingOverflow(other.low)
        low = difference
        high = high &- other.high &- (borrow ? 1 : 0)
    }

    @inline(__always)
    static func < (a: Wide, b: Wide) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }
}
