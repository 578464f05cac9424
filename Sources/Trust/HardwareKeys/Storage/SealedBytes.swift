import CLibcrypto
import SecretMemory

/// AES-256-GCM between memory for secrets and a file. By libcrypto: swift-crypto's leaves a copy of the key in a freed
/// block (`mainkey` section 4).
package enum SealedBytes {
    package static let tagCount = 16

    /// - Returns: the ciphertext, then the tag.
    package static func seal(
        _ secret: SecretBytes, key: SecretBytes, nonce: [UInt8], authenticating clear: [UInt8]
    ) throws(HardwareKeyError) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: secret.count + tagCount)
        let succeeded = withContext { context in
            var written: Int32 = 0
            return key.withUnsafeBytes { EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, $0.asBytes, nonce) == 1 }
                && EVP_EncryptUpdate(context, nil, &written, clear, Int32(clear.count)) == 1
                && secret.withUnsafeBytes {
                    EVP_EncryptUpdate(context, &sealed, &written, $0.asBytes, Int32($0.count)) == 1
                }
                && sealed.withUnsafeMutableBytes { output in
                    EVP_EncryptFinal_ex(context, output.asBytes + Int(written), &written) == 1
                        && EVP_CIPHER_CTX_ctrl(
                            context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), output.asBytes + secret.count) == 1
                }
        }
        guard succeeded else { throw .invalidArgument("libcrypto does not encrypt with AES-256-GCM") }
        return sealed
    }

    /// - Throws: ``HardwareKeyError/cannotUnseal(tag:)``
    static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating clear: [UInt8], tag: KeyTag
    ) throws(HardwareKeyError) -> SecretBytes {
        guard let secret = try opened(sealed, key: key, nonce: nonce, authenticating: clear) else {
            throw .cannotUnseal(tag: tag.text)
        }
        return secret
    }

    /// - Returns: nil for what is not authentic.
    package static func opened(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating clear: [UInt8]
    ) throws(HardwareKeyError) -> SecretBytes? {
        guard sealed.count >= tagCount else { return nil }
        let count = sealed.count - tagCount
        var authentic = false
        let secret = try SecretBytes.guarded { () throws(SecretMemoryError) in
            try SecretBytes(count: count) { output in
                authentic = open(sealed, key: key, nonce: nonce, authenticating: clear, into: output)
            }
        }
        return authentic ? secret : nil
    }

    private static func open(
        _ sealed: [UInt8], key: SecretBytes, nonce: [UInt8], authenticating clear: [UInt8],
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        var tag = Array(sealed.suffix(tagCount))
        return withContext { context in
            var written: Int32 = 0
            return key.withUnsafeBytes { EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, $0.asBytes, nonce) == 1 }
                && EVP_DecryptUpdate(context, nil, &written, clear, Int32(clear.count)) == 1
                && EVP_DecryptUpdate(context, output.asBytes, &written, sealed, Int32(output.count)) == 1
                && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), &tag) == 1
                && EVP_DecryptFinal_ex(context, output.asBytes + Int(written), &written) == 1
        }
    }

    /// Lends a context of libcrypto, which zeroises the key schedule when the context goes.
    private static func withContext(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = EVP_CIPHER_CTX_new() else { return false }
        defer { EVP_CIPHER_CTX_free(context) }
        return body(context)
    }
}
