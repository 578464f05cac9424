/// The Keccak-f[1600] permutation (FIPS 202 section 3) and the hash that Ethereum made of it.
public enum Keccak {
    /// 200 bytes as 25 lanes; lane (x, y) has index x + 5y, its bytes are little-endian.
    package typealias State = InlineArray<25, UInt64>

    private static let roundConstants: InlineArray<24, UInt64> = [
        0x0000_0000_0000_0001, 0x0000_0000_0000_8082, 0x8000_0000_0000_808a, 0x8000_0000_8000_8000,
        0x0000_0000_0000_808b, 0x0000_0000_8000_0001, 0x8000_0000_8000_8081, 0x8000_0000_0000_8009,
        0x0000_0000_0000_008a, 0x0000_0000_0000_0088, 0x0000_0000_8000_8009, 0x0000_0000_8000_000a,
        0x0000_0000_8000_808b, 0x8000_0000_0000_008b, 0x8000_0000_0000_8089, 0x8000_0000_0000_8003,
        0x8000_0000_0000_8002, 0x8000_0000_0000_0080, 0x0000_0000_0000_800a, 0x8000_0000_8000_000a,
        0x8000_0000_8000_8081, 0x8000_0000_0000_8080, 0x0000_0000_8000_0001, 0x8000_0000_8000_8008,
    ]

    @inline(__always)
    private static func rotate(_ lane: UInt64, by count: UInt64) -> UInt64 {
        lane &<< count | lane &>> (64 &- count)
    }

    /// The permutation, in place. Unrolled by lanes, so that all 25 stay out of memory; it has no branch or index that
    /// depends on the state.
    package static func permute(_ state: inout State) {
        let roundConstants = roundConstants
        var a0 = state[0]
        var a1 = state[1]
        var a2 = state[2]
        var a3 = state[3]
        var a4 = state[4]
        var a5 = state[5]
        var a6 = state[6]
        var a7 = state[7]
        var a8 = state[8]
        var a9 = state[9]
        var a10 = state[10]
        var a11 = state[11]
        var a12 = state[12]
        var a13 = state[13]
        var a14 = state[14]
        var a15 = state[15]
        var a16 = state[16]
        var a17 = state[17]
        var a18 = state[18]
        var a19 = state[19]
        var a20 = state[20]
        var a21 = state[21]
        var a22 = state[22]
        var a23 = state[23]
        var a24 = state[24]
        for round in 0..<24 {
            // θ
            let c0 = a0 ^ a5 ^ a10 ^ a15 ^ a20
            let c1 = a1 ^ a6 ^ a11 ^ a16 ^ a21
            let c2 = a2 ^ a7 ^ a12 ^ a17 ^ a22
            let c3 = a3 ^ a8 ^ a13 ^ a18 ^ a23
            let c4 = a4 ^ a9 ^ a14 ^ a19 ^ a24
            let d0 = c4 ^ rotate(c1, by: 1)
            let d1 = c0 ^ rotate(c2, by: 1)
            let d2 = c1 ^ rotate(c3, by: 1)
            let d3 = c2 ^ rotate(c4, by: 1)
            let d4 = c3 ^ rotate(c0, by: 1)
            // ρ and π
            let b0 = a0 ^ d0
            let b10 = rotate(a1 ^ d1, by: 1)
            let b20 = rotate(a2 ^ d2, by: 62)
            let b5 = rotate(a3 ^ d3, by: 28)
            let b15 = rotate(a4 ^ d4, by: 27)
            let b16 = rotate(a5 ^ d0, by: 36)
            let b1 = rotate(a6 ^ d1, by: 44)
            let b11 = rotate(a7 ^ d2, by: 6)
            let b21 = rotate(a8 ^ d3, by: 55)
            let b6 = rotate(a9 ^ d4, by: 20)
            let b7 = rotate(a10 ^ d0, by: 3)
            let b17 = rotate(a11 ^ d1, by: 10)
            let b2 = rotate(a12 ^ d2, by: 43)
            let b12 = rotate(a13 ^ d3, by: 25)
            let b22 = rotate(a14 ^ d4, by: 39)
            let b23 = rotate(a15 ^ d0, by: 41)
            let b8 = rotate(a16 ^ d1, by: 45)
            let b18 = rotate(a17 ^ d2, by: 15)
            let b3 = rotate(a18 ^ d3, by: 21)
            let b13 = rotate(a19 ^ d4, by: 8)
            let b14 = rotate(a20 ^ d0, by: 18)
            let b24 = rotate(a21 ^ d1, by: 2)
            let b9 = rotate(a22 ^ d2, by: 61)
            let b19 = rotate(a23 ^ d3, by: 56)
            let b4 = rotate(a24 ^ d4, by: 14)
            // χ, and ι on the first lane
            a0 = b0 ^ (~b1 & b2) ^ roundConstants[round]
            a1 = b1 ^ (~b2 & b3)
            a2 = b2 ^ (~b3 & b4)
            a3 = b3 ^ (~b4 & b0)
            a4 = b4 ^ (~b0 & b1)
            a5 = b5 ^ (~b6 & b7)
            a6 = b6 ^ (~b7 & b8)
            a7 = b7 ^ (~b8 & b9)
            a8 = b8 ^ (~b9 & b5)
            a9 = b9 ^ (~b5 & b6)
            a10 = b10 ^ (~b11 & b12)
            a11 = b11 ^ (~b12 & b13)
            a12 = b12 ^ (~b13 & b14)
            a13 = b13 ^ (~b14 & b10)
            a14 = b14 ^ (~b10 & b11)
            a15 = b15 ^ (~b16 & b17)
            a16 = b16 ^ (~b17 & b18)
            a17 = b17 ^ (~b18 & b19)
            a18 = b18 ^ (~b19 & b15)
            a19 = b19 ^ (~b15 & b16)
            a20 = b20 ^ (~b21 & b22)
            a21 = b21 ^ (~b22 & b23)
            a22 = b22 ^ (~b23 & b24)
            a23 = b23 ^ (~b24 & b20)
            a24 = b24 ^ (~b20 & b21)
        }
        state[0] = a0
        state[1] = a1
        state[2] = a2
        state[3] = a3
        state[4] = a4
        state[5] = a5
        state[6] = a6
        state[7] = a7
        state[8] = a8
        state[9] = a9
        state[10] = a10
        state[11] = a11
        state[12] = a12
        state[13] = a13
        state[14] = a14
        state[15] = a15
        state[16] = a16
        state[17] = a17
        state[18] = a18
        state[19] = a19
        state[20] = a20
        state[21] = a21
        state[22] = a22
        state[23] = a23
        state[24] = a24
    }

    /// Keccak-256 with the padding from before the standard, as Ethereum uses it.
    ///
    /// - Returns: 32 bytes.
    public static func hash256(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let rate = 136
        var state = State(repeating: 0)
        var position = 0
        func absorb(_ byte: UInt8) {
            state[position >> 3] ^= UInt64(byte) << UInt64(8 * (position & 7))
            position += 1
        }
        for byte in bytes {
            absorb(byte)
            if position == rate {
                permute(&state)
                position = 0
            }
        }
        absorb(0x01)
        position = rate - 1
        absorb(0x80)
        permute(&state)
        return (0..<32).map { UInt8(truncatingIfNeeded: state[$0 >> 3] >> UInt64(8 * ($0 & 7))) }
    }
}
