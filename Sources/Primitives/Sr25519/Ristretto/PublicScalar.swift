import CSodium
import SecretMemory

/// A public number modulo the group order L, for arithmetic without an array on the heap.
///
/// The words stand least significant first; on the platforms of Swift, all little-endian, that is the layout of
/// libsodium.
struct PublicScalar {
    var words: SIMD4<UInt64>

    static let zero = PublicScalar(words: SIMD4())

    private static let order: SIMD4<UInt64> = [0x5812_631a_5cf5_d3ed, 0x14de_f9de_a2f7_9cd6, 0, 0x1000_0000_0000_0000]

    init(words: SIMD4<UInt64>) {
        self.words = words
    }

    init(_ number: UInt128) {
        words = [UInt64(truncatingIfNeeded: number), UInt64(truncatingIfNeeded: number >> 64), 0, 0]
    }

    /// - Parameter bytes: 32 bytes, little-endian.
    init(_ bytes: [UInt8]) {
        words = bytes.withUnsafeBytes { SIMD4(littleEndian: $0) }
    }

    /// - Parameter wide: 64 bytes, little-endian, taken modulo L.
    init(reducing wide: InlineArray<64, UInt8>) {
        words = Self.filled { output in
            withUnsafeBytes(of: wide) { crypto_core_ristretto255_scalar_reduce(output, $0.asBytes) }
        }
    }

    /// A sum of products modulo L.
    init(reducing wide: WideScalar) {
        words = Self.filled { output in
            withUnsafeBytes(of: wide.words) { crypto_core_ristretto255_scalar_reduce(output, $0.asBytes) }
        }
    }

    var isCanonical: Bool {
        for index in stride(from: 3, through: 0, by: -1) where words[index] != Self.order[index] {
            return words[index] < Self.order[index]
        }
        return false
    }

    var bitWidth: Int {
        for index in stride(from: 3, through: 0, by: -1) where words[index] != 0 {
            return 64 * (index + 1) - words[index].leadingZeroBitCount
        }
        return 0
    }

    /// The 64 bits from a position below 256 on, with zeros above the highest word.
    @inline(__always)
    func bits(at position: Int) -> UInt64 {
        let (word, bit) = (position >> 6, UInt64(position & 63))
        guard bit > 0, word < 3 else { return words[word] >> bit }
        return words[word] >> bit | words[word + 1] << (64 - bit)
    }

    static func * (a: PublicScalar, b: PublicScalar) -> PublicScalar {
        combine(a, with: b) { crypto_core_ristretto255_scalar_mul($0, $1, $2) }
    }

    static func + (a: PublicScalar, b: PublicScalar) -> PublicScalar {
        combine(a, with: b) { crypto_core_ristretto255_scalar_add($0, $1, $2) }
    }

    static func - (a: PublicScalar, b: PublicScalar) -> PublicScalar {
        combine(a, with: b) { crypto_core_ristretto255_scalar_sub($0, $1, $2) }
    }

    private static func combine(
        _ a: PublicScalar, with b: PublicScalar,
        by operation: (UnsafeMutablePointer<UInt8>, UnsafePointer<UInt8>, UnsafePointer<UInt8>) -> Void
    ) -> PublicScalar {
        PublicScalar(
            words: filled { output in
                withUnsafeBytes(of: a.words) { a in
                    withUnsafeBytes(of: b.words) { b in operation(output, a.asBytes, b.asBytes) }
                }
            })
    }

    private static func filled(_ fill: (UnsafeMutablePointer<UInt8>) -> Void) -> SIMD4<UInt64> {
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words) { fill($0.asBytes) }
        return words
    }
}
