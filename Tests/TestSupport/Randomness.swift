/// Numbers that look random and are the same in every run.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(state: UInt64) {
        self.state = state
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}

// Tests are compiled without optimisation, and what they make millions of bytes with is not: it stands here.
extension [UInt8] {
    /// Bytes that tell by what they are where they stand.
    package init(pattern seed: Int, count: Int) {
        self = (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ seed) }
    }

    /// The same with the bytes of a key over it, again and again from the beginning.
    package func masked(by key: [UInt8]) -> [UInt8] { enumerated().map { $1 ^ key[$0 % key.count] } }

    package func flipping(bit: Int) -> [UInt8] {
        var copy = self
        copy[bit / 8] ^= 1 << (bit % 8)
        return copy
    }
}
