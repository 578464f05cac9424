/// BLAKE3 with 32 bytes of output, unkeyed, for public data (`substrate-crypto` section 2.4).
package enum Blake3 {
    private static let chunkSize = 1024
    private static let blockSize = 64

    package static func hash(_ bytes: [UInt8]) -> Hash256 {
        bytes.withUnsafeBytes { hash($0) }
    }

    /// The hash of bytes that stand in a larger buffer.
    static func hash(_ bytes: UnsafeRawBufferPointer) -> Hash256 {
        let top = subtree(bytes, firstChunk: 0, rootFlag: Blake3Flags.root)
        return Hash256(
            unchecked: [UInt8](unsafeUninitializedCapacity: Hash256.byteCount) { buffer, count in
                for word in 0..<8 {
                    for byte in 0..<4 {
                        buffer[4 * word + byte] = UInt8(truncatingIfNeeded: top[word] >> UInt32(8 * byte))
                    }
                }
                count = Hash256.byteCount
            })
    }

    /// The chaining value of a run of chunks; the left part takes the largest power of two of them. The depth is the
    /// logarithm of the length.
    private static func subtree(
        _ bytes: UnsafeRawBufferPointer, firstChunk: UInt64, rootFlag: UInt32
    ) -> SIMD8<UInt32> {
        guard bytes.count > chunkSize else { return chunk(bytes, counter: firstChunk, rootFlag: rootFlag) }
        let chunks = (bytes.count + chunkSize - 1) / chunkSize
        let left = 1 << (Int.bitWidth - 1 - (chunks - 1).leadingZeroBitCount)
        let middle = left * chunkSize
        let leftValue = subtree(
            UnsafeRawBufferPointer(rebasing: bytes[..<middle]), firstChunk: firstChunk, rootFlag: 0)
        let rightValue = subtree(
            UnsafeRawBufferPointer(rebasing: bytes[middle...]), firstChunk: firstChunk + UInt64(left), rootFlag: 0)
        return Blake3Compression.run(
            .initial, SIMD16(lowHalf: leftValue, highHalf: rightValue), counter: 0, length: UInt32(blockSize),
            flags: Blake3Flags.parent | rootFlag)
    }

    private static func chunk(
        _ bytes: UnsafeRawBufferPointer, counter: UInt64, rootFlag: UInt32
    ) -> SIMD8<UInt32> {
        var value = SIMD8<UInt32>.initial
        var start = 0
        var flags = Blake3Flags.chunkStart
        repeat {
            let end = min(start + blockSize, bytes.count)
            if end == bytes.count { flags |= Blake3Flags.chunkEnd | rootFlag }
            value = Blake3Compression.run(
                value, block(bytes, start..<end), counter: counter, length: UInt32(end - start), flags: flags)
            flags = 0
            start = end
        } while start < bytes.count
        return value
    }

    /// The words of a block, filled up with zeros.
    private static func block(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> SIMD16<UInt32> {
        var words = SIMD16<UInt32>(repeating: 0)
        withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range])) }
        #if _endian(big)
            for index in 0..<16 { words[index] = words[index].byteSwapped }
        #endif
        return words
    }
}

private enum Blake3Flags {
    static let chunkStart: UInt32 = 1
    static let chunkEnd: UInt32 = 2
    static let parent: UInt32 = 4
    static let root: UInt32 = 8
}

extension SIMD8<UInt32> {
    /// The initialisation vector, that of SHA-256.
    fileprivate static var initial: Self {
        [
            0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
        ]
    }
}

/// The compression function. The state is four rows, so that the four mixings of columns, and after a rotation of the
/// rows those of diagonals, go side by side.
private struct Blake3Compression {
    private var a: SIMD4<UInt32>
    private var b: SIMD4<UInt32>
    private var c: SIMD4<UInt32>
    private var d: SIMD4<UInt32>

    static func run(
        _ chaining: SIMD8<UInt32>, _ block: SIMD16<UInt32>, counter: UInt64, length: UInt32, flags: UInt32
    ) -> SIMD8<UInt32> {
        let tail = SIMD4(
            UInt32(truncatingIfNeeded: counter), UInt32(truncatingIfNeeded: counter >> 32), length, flags)
        var state = Blake3Compression(
            a: chaining.lowHalf, b: chaining.highHalf, c: SIMD8.initial.lowHalf, d: tail)
        var message = block
        for _ in 0..<6 {
            state.round(message)
            message = permuted(message)
        }
        state.round(message)
        return SIMD8(lowHalf: state.a ^ state.c, highHalf: state.b ^ state.d)
    }

    @inline(__always)
    private mutating func round(_ m: SIMD16<UInt32>) {
        mix(m.lowHalf.evenHalf, then: m.lowHalf.oddHalf)
        b = SIMD4(b.y, b.z, b.w, b.x)
        c = SIMD4(c.z, c.w, c.x, c.y)
        d = SIMD4(d.w, d.x, d.y, d.z)
        mix(m.highHalf.evenHalf, then: m.highHalf.oddHalf)
        b = SIMD4(b.w, b.x, b.y, b.z)
        c = SIMD4(c.z, c.w, c.x, c.y)
        d = SIMD4(d.y, d.z, d.w, d.x)
    }

    @inline(__always)
    private mutating func mix(_ x: SIMD4<UInt32>, then y: SIMD4<UInt32>) {
        a = a &+ b &+ x
        d = Self.rotatedRight(d ^ a, by: 16)
        c = c &+ d
        b = Self.rotatedRight(b ^ c, by: 12)
        a = a &+ b &+ y
        d = Self.rotatedRight(d ^ a, by: 8)
        c = c &+ d
        b = Self.rotatedRight(b ^ c, by: 7)
    }

    @inline(__always)
    private static func rotatedRight(_ words: SIMD4<UInt32>, by count: UInt32) -> SIMD4<UInt32> {
        words &>> count | words &<< (32 &- count)
    }

    @inline(__always)
    private static func permuted(_ m: SIMD16<UInt32>) -> SIMD16<UInt32> {
        SIMD16(
            m[2], m[6], m[3], m[10], m[7], m[0], m[4], m[13], m[1], m[11], m[12], m[5], m[9], m[14], m[15], m[8])
    }
}
