/// A number modulo p = 2²⁵⁵ − 19, as five limbs of 51 bits (`substrate-crypto` section 5.2).
///
/// For public data only. Products have limbs below 2⁵² and may enter any operation. Sums are not carried and
/// differences are carried lazily: each operation states what its operands may be, and a chain of two additions between
/// products stays within what multiplication takes (limbs below 2⁵⁴).
struct FieldElement {
    var l0: UInt64
    var l1: UInt64
    var l2: UInt64
    var l3: UInt64
    var l4: UInt64

    static let mask: UInt64 = (1 << 51) - 1

    static let zero = FieldElement(limbs: (0, 0, 0, 0, 0))
    static let one = FieldElement(limbs: (1, 0, 0, 0, 0))

    @inline(__always)
    init(limbs: (UInt64, UInt64, UInt64, UInt64, UInt64)) {
        (l0, l1, l2, l3, l4) = limbs
    }

    /// d of the curve −x² + y² = 1 + d·x²·y².
    static let d = FieldElement(
        limbs: (
            0x3_4dca_1359_78a3, 0x1_a828_3b15_6ebd, 0x5_e7a2_6001_c029, 0x7_39c6_63a0_3cbb, 0x5_2036_cee2_b6ff
        ))
    static let twoD = FieldElement(
        limbs: (
            0x6_9b94_26b2_f159, 0x3_5050_762a_dd7a, 0x3_cf44_c003_8052, 0x6_738c_c740_7977, 0x2_406d_9dc5_6dff
        ))
    static let squareRootOfMinusOne = FieldElement(
        limbs: (
            0x6_1b27_4a0e_a0b0, 0x0_d5a5_fc8f_189d, 0x7_ef5e_9cbd_0c60, 0x7_8595_a680_4c9e, 0x2_b832_4804_fc1d
        ))
    /// 1 / √(a − d), with a = −1.
    static let inverseRootAMinusD = FieldElement(
        limbs: (
            0x0_fdaa_805d_40ea, 0x2_eb48_2e57_d339, 0x0_0761_0274_bc58, 0x6_510b_613d_c8ff, 0x7_86c8_905c_faff
        ))
}

// MARK: Arithmetic

extension FieldElement {
    /// The sum without carry: its limbs are the sums of the limbs.
    @inline(__always)
    static func + (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(limbs: (a.l0 &+ b.l0, a.l1 &+ b.l1, a.l2 &+ b.l2, a.l3 &+ b.l3, a.l4 &+ b.l4))
    }

    /// a − b + 2p without carry, for b a product (limbs below 2⁵² − 38).
    @inline(__always)
    static func - (a: FieldElement, b: FieldElement) -> FieldElement {
        FieldElement(
            limbs: (
                a.l0 &+ 0xf_ffff_ffff_ffda &- b.l0, a.l1 &+ 0xf_ffff_ffff_fffe &- b.l1,
                a.l2 &+ 0xf_ffff_ffff_fffe &- b.l2,
                a.l3 &+ 0xf_ffff_ffff_fffe &- b.l3, a.l4 &+ 0xf_ffff_ffff_fffe &- b.l4
            ))
    }

    /// a − b + 4p without carry, for b with limbs below 2⁵³ − 76.
    @inline(__always)
    static func subtractWide(_ a: FieldElement, minus b: FieldElement) -> FieldElement {
        FieldElement(
            limbs: (
                a.l0 &+ 0x1f_ffff_ffff_ffb4 &- b.l0, a.l1 &+ 0x1f_ffff_ffff_fffc &- b.l1,
                a.l2 &+ 0x1f_ffff_ffff_fffc &- b.l2,
                a.l3 &+ 0x1f_ffff_ffff_fffc &- b.l3, a.l4 &+ 0x1f_ffff_ffff_fffc &- b.l4
            ))
    }

    /// The product of operands with limbs below 2⁵⁴.
    @inline(__always)
    static func * (a: FieldElement, b: FieldElement) -> FieldElement {
        let b1 = b.l1 &* 19
        let b2 = b.l2 &* 19
        let b3 = b.l3 &* 19
        let b4 = b.l4 &* 19
        var r0 = wide(a.l0, times: b.l0)
        var r1 = wide(a.l0, times: b.l1)
        var r2 = wide(a.l0, times: b.l2)
        var r3 = wide(a.l0, times: b.l3)
        var r4 = wide(a.l0, times: b.l4)
        r0 = r0 &+ wide(a.l1, times: b4)
        r1 = r1 &+ wide(a.l1, times: b.l0)
        r2 = r2 &+ wide(a.l1, times: b.l1)
        r3 = r3 &+ wide(a.l1, times: b.l2)
        r4 = r4 &+ wide(a.l1, times: b.l3)
        r0 = r0 &+ wide(a.l2, times: b3)
        r1 = r1 &+ wide(a.l2, times: b4)
        r2 = r2 &+ wide(a.l2, times: b.l0)
        r3 = r3 &+ wide(a.l2, times: b.l1)
        r4 = r4 &+ wide(a.l2, times: b.l2)
        r0 = r0 &+ wide(a.l3, times: b2)
        r1 = r1 &+ wide(a.l3, times: b3)
        r2 = r2 &+ wide(a.l3, times: b4)
        r3 = r3 &+ wide(a.l3, times: b.l0)
        r4 = r4 &+ wide(a.l3, times: b.l1)
        r0 = r0 &+ wide(a.l4, times: b1)
        r1 = r1 &+ wide(a.l4, times: b2)
        r2 = r2 &+ wide(a.l4, times: b3)
        r3 = r3 &+ wide(a.l4, times: b4)
        r4 = r4 &+ wide(a.l4, times: b.l0)
        return carried((r0, r1, r2, r3, r4))
    }

    /// The square, for limbs below 2⁵⁴.
    @inline(__always)
    var squared: FieldElement {
        let d0 = l0 &* 2
        let d1 = l1 &* 2
        let l2x38 = l2 &* 38
        let l3x19 = l3 &* 19
        let l4x19 = l4 &* 19
        let l4x38 = l4 &* 38
        let r0 = Self.wide(l0, times: l0) &+ Self.wide(l4x38, times: l1) &+ Self.wide(l2x38, times: l3)
        let r1 = Self.wide(d0, times: l1) &+ Self.wide(l4x38, times: l2) &+ Self.wide(l3x19, times: l3)
        let r2 = Self.wide(d0, times: l2) &+ Self.wide(l1, times: l1) &+ Self.wide(l4x38, times: l3)
        let r3 = Self.wide(d0, times: l3) &+ Self.wide(d1, times: l2) &+ Self.wide(l4x19, times: l4)
        let r4 = Self.wide(d0, times: l4) &+ Self.wide(d1, times: l3) &+ Self.wide(l2, times: l2)
        return Self.carried((r0, r1, r2, r3, r4))
    }

    @inline(__always)
    private static func wide(_ a: UInt64, times b: UInt64) -> UInt128 {
        UInt128(a) &* UInt128(b)
    }

    @inline(__always)
    private static func carried(
        _ columns: (UInt128, UInt128, UInt128, UInt128, UInt128)
    ) -> FieldElement {
        let (r0, r1, r2, r3, r4) = columns
        let c4 = (low(r4) &>> 51) &* 19 &+ UInt64(truncatingIfNeeded: r4 &>> 64) &* (19 &<< 13)
        return FieldElement(
            limbs: (
                low(r0) & mask &+ c4, low(r1) & mask &+ low(r0) &>> 51 &+ high(r0),
                low(r2) & mask &+ low(r1) &>> 51 &+ high(r1), low(r3) & mask &+ low(r2) &>> 51 &+ high(r2),
                low(r4) & mask &+ low(r3) &>> 51 &+ high(r3)
            )
        ).weaklyCarried
    }

    @inline(__always)
    private static func low(_ r: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: r) }

    @inline(__always)
    private static func high(_ r: UInt128) -> UInt64 { UInt64(truncatingIfNeeded: r &>> 64) &<< 13 }

    /// −a, for a with limbs below 2⁵³ − 76.
    var negated: FieldElement { Self.subtractWide(.zero, minus: self).weaklyCarried }

    /// The same number with limbs below 2⁵¹ + 2¹³.
    @inline(__always)
    private var weaklyCarried: FieldElement {
        let mask = Self.mask
        return FieldElement(
            limbs: (
                (l0 & mask) &+ (l4 &>> 51) &* 19, (l1 & mask) &+ l0 &>> 51, (l2 & mask) &+ l1 &>> 51,
                (l3 & mask) &+ l2 &>> 51, (l4 & mask) &+ l3 &>> 51
            ))
    }
}

// MARK: Canonical form

extension FieldElement: Equatable {
    static func == (a: FieldElement, b: FieldElement) -> Bool {
        a.canonical == b.canonical
    }

    /// The four 64-bit words, least significant first, of the number reduced below p.
    var canonical: SIMD4<UInt64> {
        let a = weaklyCarried.weaklyCarried.weaklyCarried
        // q = 1 if a ≥ p: the carry out of a + 19 at bit 255.
        var q = (a.l0 &+ 19) &>> 51
        q = (a.l1 &+ q) &>> 51
        q = (a.l2 &+ q) &>> 51
        q = (a.l3 &+ q) &>> 51
        q = (a.l4 &+ q) &>> 51
        let s0 = a.l0 &+ 19 &* q
        let s1 = a.l1 &+ s0 &>> 51
        let s2 = a.l2 &+ s1 &>> 51
        let s3 = a.l3 &+ s2 &>> 51
        let s4 = a.l4 &+ s3 &>> 51
        let mask = Self.mask
        let (t0, t1, t2, t3, t4) = (s0 & mask, s1 & mask, s2 & mask, s3 & mask, s4 & mask)
        return SIMD4(
            t0 | t1 &<< 51, t1 &>> 13 | t2 &<< 38, t2 &>> 26 | t3 &<< 25, t3 &>> 39 | t4 &<< 12)
    }

    /// Whether the canonical form is odd, which ristretto255 calls negative.
    var isNegative: Bool { canonical[0] & 1 == 1 }

    var absolute: FieldElement { isNegative ? negated : self }

    var isZero: Bool { canonical == SIMD4(repeating: 0) }

    /// 32 bytes, little-endian, below p.
    var encoded: [UInt8] {
        let words = canonical
        return (0..<32).map { UInt8(truncatingIfNeeded: words[$0 >> 3] >> UInt64(8 * ($0 & 7))) }
    }

    /// - Parameter words: 256 bits, least significant word first.
    /// - Returns: nil unless they are a number below p.
    init?(canonical words: SIMD4<UInt64>) {
        let mask = Self.mask
        let value = FieldElement(
            limbs: (
                words[0] & mask, (words[0] >> 51 | words[1] << 13) & mask, (words[1] >> 38 | words[2] << 26) & mask,
                (words[2] >> 25 | words[3] << 39) & mask, (words[3] >> 12) & mask
            ))
        guard value.canonical == words else { return nil }
        self = value
    }
}
