import SecretMemory

/// HMAC over SHA-2 of secrets.
enum HMAC {
    /// - Returns: 64 bytes.
    static func sha512(key: SecretBytes, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try key.withUnsafeBytes { (key) throws(SecretMemoryError) in try HMACSHA512.secretCode(key: key, of: message) }
    }

    /// - Parameter label: the key, where that is public.
    /// - Returns: 64 bytes.
    static func sha512(label: StaticString, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try HMACSHA512.secretCode(key: bytes(of: label), of: message)
    }

    /// - Parameter label: the key, where that is public.
    /// - Returns: 32 bytes.
    static func sha256(label: StaticString, _ message: SecretBytes) throws(SecretMemoryError) -> SecretBytes {
        try HMACSHA256.secretCode(key: bytes(of: label), of: message)
    }

    private static func bytes(of label: StaticString) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount)
    }
}
