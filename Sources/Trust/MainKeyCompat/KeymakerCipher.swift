import CLibcrypto
import MainKey
import SecretMemory

/// AES-256-CTR, for reading what was written long ago. No new value is ever locked with it.
enum KeymakerCipher {
    private static let keyByteCount = 32
    private static let vectorByteCount = 16

    /// - Parameters:
    ///   - locked: vector and ciphertext, or ciphertext alone in the legacy version. At most 2 GiB.
    ///   - key: 32 bytes.
    ///   - part: what errors call it.
    static func open(
        _ locked: [UInt8], version: KeymakerVersion, key: SecretBytes, as part: MainKeyError.Part
    ) throws(MainKeyError) -> SecretBytes {
        guard key.count == keyByteCount else {
            throw .malformed(part, reason: "its key has \(keyByteCount) bytes, not \(key.count)")
        }
        let prefix = version == .current ? vectorByteCount : 0
        guard locked.count > prefix else { throw .truncated(part) }
        var isDone = false
        let plaintext: SecretBytes
        do throws(SecretMemoryError) {
            plaintext = try SecretBytes(count: locked.count - prefix) { output in
                locked.withUnsafeBytes { locked in
                    key.withUnsafeBytes { key in
                        let vector = version == .current ? locked.asBytes : key.asBytes
                        isDone = decrypt(
                            UnsafeRawBufferPointer(rebasing: locked[prefix...]), key: key, vector: vector, into: output)
                    }
                }
            }
        } catch {
            throw .limitExceeded(reason: "\(error)")
        }
        guard isDone else { throw .internalFailure(reason: "libcrypto does not do AES-256-CTR") }
        return plaintext
    }

    /// - Parameters:
    ///   - vector: 16 bytes.
    ///   - output: as long as the ciphertext.
    private static func decrypt(
        _ ciphertext: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, vector: UnsafePointer<UInt8>,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { return false }
        // Zeroises the key's schedule as well.
        defer { EVP_CIPHER_CTX_free(context) }
        var count: CInt = 0
        return EVP_DecryptInit_ex(context, EVP_aes_256_ctr(), nil, key.asBytes, vector) == 1
            && EVP_DecryptUpdate(context, output.asBytes, &count, ciphertext.asBytes, CInt(ciphertext.count)) == 1
            && Int(count) == ciphertext.count
    }
}
