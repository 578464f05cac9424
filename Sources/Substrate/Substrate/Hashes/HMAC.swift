import CSodium
import SecretMemory

/// HMAC over SHA-2 (RFC 2104) of secrets.
enum HMAC {
    /// - Returns: 64 bytes.
    static func sha512(key: SecretBytes, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try key.withUnsafeBytes { (key) throws(SecretMemoryError) in try sha512(key, message) }
    }

    /// - Parameter label: the key, where that is public.
    /// - Returns: 64 bytes.
    static func sha512(label: StaticString, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try sha512(bytes(of: label), message)
    }

    private static func sha512(
        _ key: UnsafeRawBufferPointer, _ message: SecretBytes
    ) throws(SecretMemoryError) -> SecretBytes {
        try SecretBytes(count: 64) { output in
            var state = crypto_auth_hmacsha512_state()
            crypto_auth_hmacsha512_init(&state, key.asBytes, key.count)
            message.withUnsafeBytes { _ = crypto_auth_hmacsha512_update(&state, $0.asBytes, UInt64($0.count)) }
            crypto_auth_hmacsha512_final(&state, output.asBytes)
            withUnsafeMutableBytes(of: &state) { sodium_memzero($0.asBytes, $0.count) }
        }
    }

    /// - Parameter label: the key, where that is public.
    /// - Returns: 32 bytes.
    static func sha256(label: StaticString, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        let key = bytes(of: label)
        return try SecretBytes(count: 32) { output in
            var state = crypto_auth_hmacsha256_state()
            crypto_auth_hmacsha256_init(&state, key.asBytes, key.count)
            message.withUnsafeBytes { _ = crypto_auth_hmacsha256_update(&state, $0.asBytes, UInt64($0.count)) }
            crypto_auth_hmacsha256_final(&state, output.asBytes)
            withUnsafeMutableBytes(of: &state) { sodium_memzero($0.asBytes, $0.count) }
        }
    }

    private static func bytes(of label: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount)
    }
}
