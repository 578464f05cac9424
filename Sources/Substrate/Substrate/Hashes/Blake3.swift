/// BLAKE3 with 32 bytes of output, unkeyed, for public data (`substrate-crypto` section 2.4).
public enum Blake3 {
    private static let chunkSize = 1024
    private static let blockSize = 64

    private struct Flags {
        static let chunkStart: UInt32 = 1
        static let chunkEnd: UInt32 = 2
        static let parent: UInt32 = 4
        static let root: UInt32 = 8
    }

    private static let initial: SIMD8<UInt32> = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    private static let permutation: [Int] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8]

    public static func hash(_ bytes: [UInt8]) -> Hash256 {
        let top = subtree(bytes[...], firstChunk: 0, rootFlag: Flags.root)
        return Hash256(unchecked: (0..<32).map { UInt8(truncatingIfNeeded: top[$0 / 4] >> UInt32(8 * ($0 % 4))) })
    }

    /// The chaining value of a run of chunks; the left part takes the largest power of two of them. The depth is the logarithm
    /// of the length.
    private static func subtree(_ bytes: ArraySlice<UInt8>, firstChunk: UInt64, rootFlag: UInt32) -> SIMD8<UInt32> {
        guard bytes.count > chunkSize else { return chunk(bytes, counter: firstChunk, rootFlag: rootFlag) }
        let chunks = (bytes.count + chunkSize - 1) / chunkSize
        let left = 1 << (Int.bitWidth - 1 - (chunks - 1).leadingZeroBitCount)
        let middle = bytes.startIndex + left * chunkSize
        let leftValue = subtree(bytes[..<middle], firstChunk: firstChunk, rootFlag: 0)
        let rightValue = subtree(bytes[middle...], firstChunk: firstChunk + UInt64(left), rootFlag: 0)
        let words = (0..<16).map { $0 < 8 ? leftValue[$0] : rightValue[$0 - 8] }
        return compress(initial, words, counter: 0, length: UInt32(blockSize), flags: Flags.parent | rootFlag)
    }

    private static func chunk(_ bytes: ArraySlice<UInt8>, counter: UInt64, rootFlag: UInt32) -> SIMD8<UInt32> {
        var value = initial
        var start = bytes.startIndex
        var flags = Flags.chunkStart
        repeat {
            let end = min(start + blockSize, bytes.endIndex)
            if end == bytes.endIndex { flags |= Flags.chunkEnd | rootFlag }
            var words = [UInt32](repeating: 0, count: 16)
            for (index, byte) in bytes[start..<end].enumerated() {
                words[index / 4] |= UInt32(byte) << UInt32(8 * (index % 4))
            }
            value = compress(value, words, counter: counter, length: UInt32(end - start), flags: flags)
            flags = 0
            start = end
        } while start < bytes.endIndex
        return value
    }

    private static func compress(
        _ chaining: SIMD8<UInt32>, _ block: [UInt32], counter: UInt64, length: UInt32, flags: UInt32
    ) -> SIMD8<UInt32> {
        var message = block
        var v = SIMD16<UInt32>(
            lowHalf: chaining,
            highHalf: [
                initial[0], initial[1], initial[2], initial[3], UInt32(truncatingIfNeeded: counter),
                UInt32(truncatingIfNeeded: counter >> 32), length, flags,
            ])
        for round in 0..<7 {
            for (index, (a, b, c, d)) in mixes.enumerated() {
                mix(&v, a, b, c, d, message[2 * index], message[2 * index + 1])
            }
            if round < 6 { message = permutation.map { message[$0] } }
        }
        return v.lowHalf ^ v.highHalf
    }

    /// Columns, then diagonals.
    private static let mixes: [(Int, Int, Int, Int)] = [
        (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
        (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
    ]

    private static func mix(
        _ v: inout SIMD16<UInt32>, _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ x: UInt32, _ y: UInt32
    ) {
        func rotateRight(_ word: UInt32, _ count: UInt32) -> UInt32 { word &>> count | word &<< (32 &- count) }
        v[a] = v[a] &+ v[b] &+ x
        v[d] = rotateRight(v[d] ^ v[a], 16)
        v[c] = v[c] &+ v[d]
        v[b] = rotateRight(v[b] ^ v[c], 12)
        v[a] = v[a] &+ v[b] &+ y
        v[d] = rotateRight(v[d] ^ v[a], 8)
        v[c] = v[c] &+ v[d]
        v[b] = rotateRight(v[b] ^ v[c], 7)
    }
}
