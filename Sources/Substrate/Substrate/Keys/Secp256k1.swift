import CSecp256k1
import CSodium
import SecretMemory

/// secp256k1 through libsecp256k1: compressed keys, signatures with recovery id, low s, nonces of RFC 6979.
enum Secp256k1 {
    static let signatureByteCount = 65

    /// One context for the process, blinded with fresh randomness when it is made.
    // @unchecked: after it has been made the context is only read, which libsecp256k1 allows from any number of
    // threads.
    private struct Context: @unchecked Sendable {
        let pointer: OpaquePointer?

        init() {
            pointer = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE))
            var seed = [UInt8](repeating: 0, count: 32)
            randombytes_buf(&seed, seed.count)
            if let pointer { _ = secp256k1_context_randomize(pointer, seed) }
            zeroise(&seed)
        }
    }

    private static let shared = Context()

    private static var context: OpaquePointer {
        get throws(KeyError) {
            guard let context = shared.pointer else { throw .memory(.initialisationFailed) }
            return context
        }
    }

    /// - Parameter secret: 32 bytes, big-endian, neither zero nor beyond the order.
    /// - Returns: 33 bytes.
    static func publicKey(secret: SecretBytes) throws(KeyError) -> [UInt8] {
        let context = try context
        var key = secp256k1_pubkey()
        guard secret.withUnsafeBytes({ secp256k1_ec_pubkey_create(context, &key, $0.asBytes) }) == 1 else {
            throw .invalidSecretKey
        }
        return serialise(key, compressed: true, context)
    }

    /// The sum of two secret numbers modulo the order.
    ///
    /// - Throws: ``KeyError/invalidSecretKey`` if `tweak` is not below the order or the sum is zero.
    static func add(_ tweak: SecretBytes, to secret: SecretBytes) throws(KeyError) -> SecretBytes {
        let context = try context
        var outcome: Int32 = 0
        let sum = try KeyError.locked(
            SecretBytes(count: 32) { sum in
                secret.withUnsafeBytes { sum.copyMemory(from: $0) }
                tweak.withUnsafeBytes { outcome = secp256k1_ec_seckey_tweak_add(context, sum.asBytes, $0.asBytes) }
            })
        guard outcome == 1 else { throw .invalidSecretKey }
        return sum
    }

    /// - Parameter digest: 32 bytes.
    /// - Returns: r, s (32 bytes each, big-endian), recovery id.
    static func sign(digest: [UInt8], secret: SecretBytes) throws(KeyError) -> [UInt8] {
        precondition(digest.count == 32, "a digest has 32 bytes")
        let context = try context
        var signature = secp256k1_ecdsa_recoverable_signature()
        let outcome = secret.withUnsafeBytes {
            secp256k1_ecdsa_sign_recoverable(context, &signature, digest, $0.asBytes, nil, nil)
        }
        guard outcome == 1 else { throw .invalidSecretKey }
        var output = [UInt8](repeating: 0, count: signatureByteCount)
        var recoveryID: Int32 = 0
        secp256k1_ecdsa_recoverable_signature_serialize_compact(context, &output, &recoveryID, &signature)
        output[64] = UInt8(recoveryID)
        let publicKey = try publicKey(secret: secret)
        guard recover(output, digest: digest) == publicKey else { throw .faultDuringSigning }
        return output
    }

    /// The key that made a signature, or nil if none can have: strict about low s and the recovery id.
    static func recover(_ signature: [UInt8], digest: [UInt8]) -> [UInt8]? {
        guard let context = shared.pointer, signature.count == signatureByteCount, signature[64] <= 3 else {
            return nil
        }
        var recoverable = secp256k1_ecdsa_recoverable_signature()
        guard
            secp256k1_ecdsa_recoverable_signature_parse_compact(context, &recoverable, signature, Int32(signature[64]))
                == 1
        else { return nil }
        var plain = secp256k1_ecdsa_signature()
        secp256k1_ecdsa_recoverable_signature_convert(context, &plain, &recoverable)
        // 1 if s had to be lowered.
        guard secp256k1_ecdsa_signature_normalize(context, nil, &plain) == 0 else { return nil }
        var key = secp256k1_pubkey()
        guard secp256k1_ecdsa_recover(context, &key, &recoverable, digest) == 1 else { return nil }
        return serialise(key, compressed: true, context)
    }

    /// The 64 bytes of both coordinates of a compressed key, or nil if it is no point.
    static func coordinates(of publicKey: [UInt8]) -> [UInt8]? {
        guard let context = shared.pointer, publicKey.count == 33 else { return nil }
        var key = secp256k1_pubkey()
        guard secp256k1_ec_pubkey_parse(context, &key, publicKey, publicKey.count) == 1 else { return nil }
        return Array(serialise(key, compressed: false, context).dropFirst())
    }

    private static func serialise(_ key: secp256k1_pubkey, compressed: Bool, _ context: OpaquePointer) -> [UInt8] {
        var key = key
        var output = [UInt8](repeating: 0, count: compressed ? 33 : 65)
        var length = output.count
        let flags = compressed ? SECP256K1_EC_COMPRESSED : SECP256K1_EC_UNCOMPRESSED
        secp256k1_ec_pubkey_serialize(context, &output, &length, &key, UInt32(flags))
        return output
    }
}
