#if canImport(CryptoKit)
    import CryptoKit
#else
    import CLibcrypto
#endif

/// SHA-256 of bytes that are there as a whole.
///
/// Source: FIPS 180-4.
package enum SHA256Hash {
    package static let byteCount = 32

    /// - Returns: 32 bytes.
    package static func of(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        #if canImport(CryptoKit)
            return Array(SHA256.hash(data: bytes))
        #else
            return [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
                let hasHashed =
                    EVP_Digest(bytes.baseAddress, bytes.count, output.baseAddress, nil, algorithm, nil) == 1
                precondition(hasHashed, "libcrypto has SHA-256 and the memory for its state")
                count = byteCount
            }
        #endif
    }

    /// - Returns: 32 bytes.
    package static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.withContiguousStorageIfAvailable { of(UnsafeRawBufferPointer($0)) }
            ?? Array(bytes).withUnsafeBytes { of($0) }
    }

    #if !canImport(CryptoKit)
        /// It is never changed and never freed, and libcrypto reads it from all threads (EVP_MD_fetch(3)).
        private nonisolated(unsafe) static let algorithm: OpaquePointer = {
            guard let algorithm = EVP_MD_fetch(nil, "SHA256", nil) else {
                preconditionFailure("libcrypto does not have SHA-256")
            }
            return algorithm
        }()
    #endif
}
