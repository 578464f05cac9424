import CSodium
import SecretMemory

/// What encrypts the secret before it is split: scrypt of the passphrase, then XSalsa20-Poly1305.
///
/// Source: `signer-product` section 10.2.
package struct BackupCipher {
    static let nonceSize = Int(crypto_secretbox_NONCEBYTES)
    static let tagSize = Int(crypto_secretbox_MACBYTES)

    /// 32 MiB of work for each guess of a passphrase.
    private static let (cost, blockSize, lanes): (UInt64, UInt32, UInt32) = (32_768, 8, 1)

    /// libsodium puts the first bytes of what it encrypts, and of what it decrypts, on the stack.
    private static let usedStack = 4096

    package let key: SecretBytes

    /// - Parameter title: of the split; its hash is the salt.
    package init(passphrase: SecretBytes, title: String) throws(SecretMemoryError) {
        try Sodium.start()
        let salt = Self.salt(title: title)
        var isMade = false
        key = try SecretBytes(count: Int(crypto_secretbox_KEYBYTES)) { key in
            passphrase.withUnsafeBytes { passphrase in
                isMade =
                    crypto_pwhash_scryptsalsa208sha256_ll(
                        passphrase.asBytes, passphrase.count, salt, salt.count, Self.cost, Self.blockSize, Self.lanes,
                        key.asBytes, key.count) == 0
            }
        }
        // It has nothing else to fail for.
        guard isMade else { throw .allocationFailed(bytes: 128 * Int(Self.blockSize) * Int(Self.cost)) }
    }

    /// SHA-512 of a title.
    package static func salt(title: String) -> [UInt8] {
        let text = Array(title.utf8)
        var salt = [UInt8](repeating: 0, count: Int(crypto_hash_sha512_BYTES))
        _ = crypto_hash_sha512(&salt, text, UInt64(text.count))
        return salt
    }

    /// - Parameters:
    ///   - nonce: 24 bytes.
    ///   - sealed: has room for the secret and 16 bytes.
    func seal(_ secret: SecretBytes, nonce: [UInt8], into sealed: UnsafeMutableRawBufferPointer) {
        precondition(nonce.count == Self.nonceSize && sealed.count == secret.count + Self.tagSize)
        defer { sodium_stackzero(Self.usedStack) }
        key.withUnsafeBytes { key in
            secret.withUnsafeBytes { secret in
                _ = crypto_secretbox_easy(sealed.asBytes, secret.asBytes, UInt64(secret.count), nonce, key.asBytes)
            }
        }
    }

    /// - Returns: nil if the key or a byte is wrong.
    func open(_ sealed: UnsafeRawBufferPointer, nonce: [UInt8]) throws(SecretMemoryError) -> SecretBytes? {
        guard nonce.count == Self.nonceSize, sealed.count >= Self.tagSize else { return nil }
        defer { sodium_stackzero(Self.usedStack) }
        var isOpen = false
        let secret = try SecretBytes(count: sealed.count - Self.tagSize) { secret in
            key.withUnsafeBytes { key in
                isOpen =
                    crypto_secretbox_open_easy(
                        secret.asBytes, sealed.asBytes, UInt64(sealed.count), nonce, key.asBytes) == 0
            }
        }
        return isOpen ? secret : nil
    }
}
