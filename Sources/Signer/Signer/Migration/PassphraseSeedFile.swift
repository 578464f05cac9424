import CSodium
import SCALE
import SecretMemory

/// The seeds of a vault of the first kind: one file, sealed with XChaCha20-Poly1305 under a key that Argon2id makes
/// from a PIN or passphrase. It is only read, to be sealed anew.
///
///     magic "CMSEEDS1" · passes u32 · memory u64 · salt[16] · nonce[24] · commitment[32] · sealed
///
/// Everything before `sealed` is authenticated with it. The commitment, a keyed hash of magic, cost and salt, tells a
/// wrong credential from a damaged file, and binds the file to one key. Numbers are little-endian.
struct PassphraseSeedFile {
    static let magic = Array("CMSEEDS1".utf8)
    static let nonceByteCount = 24
    private static let commitmentByteCount = 32
    static let tagByteCount = 16
    /// Bytes of the file at the most: thousands of seeds.
    private static let fileLimit = 1 << 20

    let path: String

    /// Whether there is such a file, whole or not.
    static func isPresent(at path: String) -> Bool {
        guard let bytes = try? VaultFile(path).content(limit: fileLimit) else { return false }
        return bytes.starts(with: magic)
    }

    /// - Throws: ``SignerError/vaultKey(_:)`` with `wrongCredential`; ``SignerError/databaseDamaged(_:)``.
    func read(credential: SecretBytes) throws -> SeedList {
        guard let bytes = try VaultFile(path).content(limit: Self.fileLimit) else { throw damaged("it is missing") }
        var decoder = ScaleDecoder(bytes)
        let cost: PasswordHashCost
        let salt: [UInt8]
        let nonce: [UInt8]
        let commitment: [UInt8]
        let committed: Int
        do throws(ScaleError) {
            guard try decoder.array(Self.magic.count) == Self.magic else {
                throw .invalidEnumIndex(offset: 0, found: bytes[0], type: "file")
            }
            cost = PasswordHashCost(passes: try decoder.uint32(), memory: try decoder.uint64())
            salt = try decoder.array(SealingKeys.saltByteCount)
            committed = decoder.position
            nonce = try decoder.array(Self.nonceByteCount)
            commitment = try decoder.array(Self.commitmentByteCount)
        } catch {
            throw damaged("it does not begin as a seed file of this version does")
        }
        guard cost.isAllowed else { throw damaged("it asks for a cost of opening that is not allowed") }
        guard decoder.remaining >= Self.tagByteCount else { throw damaged("it is cut off") }
        let keys = try SealingKeys(credential: credential, salt: salt, cost: cost)
        let expected = keys.commitment(to: Array(bytes[..<committed]))
        guard sodium_memcmp(expected, commitment, expected.count) == 0 else {
            throw SignerError.vaultKey(.wrongCredential(attemptsLeft: nil))
        }
        return try open(bytes, headerEnd: decoder.position, nonce: nonce, keys: keys)
    }

    private func open(_ bytes: [UInt8], headerEnd: Int, nonce: [UInt8], keys: SealingKeys) throws -> SeedList {
        let header = Array(bytes[..<headerEnd])
        let sealed = Array(bytes[headerEnd...])
        var opened: CInt = -1
        let plain: SecretBytes
        do throws(SecretMemoryError) {
            plain = try SecretBytes(count: sealed.count - Self.tagByteCount) { output in
                keys.withKey { key in
                    opened = crypto_aead_xchacha20poly1305_ietf_decrypt(
                        output.asBytes, nil, nil, sealed, UInt64(sealed.count), header, UInt64(header.count), nonce,
                        key.asBytes)
                }
            }
        } catch {
            throw SignerError.memory(error)
        }
        guard opened == 0 else { throw damaged("it was changed after it was written") }
        guard let list = SeedList(sealedForm: plain) else { throw damaged("its content is malformed") }
        return list
    }

    private func damaged(_ reason: String) -> SignerError {
        .databaseDamaged(.file(path: path, reason: reason))
    }
}
