import CSodium
import SecretMemory

/// Arithmetic modulo the group order L = 2²⁵² + 27742317777372353535851937790883648493.
///
/// What takes or gives `SecretBytes` runs in constant time inside libsodium.
package enum Scalar {
    static let byteCount = 32

    /// Whether a secret scalar of 32 bytes is below L, in constant time: it equals itself reduced.
    static func isCanonical(secret scalar: UnsafeRawBufferPointer) throws(SecretMemoryError) -> Bool {
        let wide = try SecretBytes(count: 64) { $0.copyMemory(from: scalar) }
        return try reduce(wide).withUnsafeBytes { sodium_memcmp($0.asBytes, scalar.asBytes, byteCount) == 0 }
    }

    /// A secret 512-bit number modulo L.
    static func reduce(_ wide: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: byteCount) { output in
            wide.withUnsafeBytes { input in
                crypto_core_ristretto255_scalar_reduce(output.asBytes, input.asBytes)
            }
        }
    }

    /// A public 512-bit number modulo L.
    package static func reduce(_ wide: [UInt8]) -> [UInt8] {
        precondition(wide.count == 64, "a wide scalar has 64 bytes")
        var output = [UInt8](repeating: 0, count: byteCount)
        crypto_core_ristretto255_scalar_reduce(&output, wide)
        return output
    }
}
