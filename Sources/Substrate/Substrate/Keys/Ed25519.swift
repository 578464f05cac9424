import CSodium
import SecretMemory

/// Ed25519 (RFC 8032) through libsodium, whose signatures are deterministic and whose verification is strict.
enum Ed25519 {
    /// The expanded key of libsodium: seed, public key.
    private static func expand(_ seed: SecretBytes) throws(KeyError) -> (secret: SecretBytes, publicKey: [UInt8]) {
        var publicKey = [UInt8](repeating: 0, count: 32)
        do throws(SecretMemoryError) {
            let secret = try SecretBytes(count: 64) { output in
                seed.withUnsafeBytes { _ = crypto_sign_seed_keypair(&publicKey, output.asBytes, $0.asBytes) }
            }
            return (secret, publicKey)
        } catch {
            throw .memory(error)
        }
    }

    static func publicKey(seed: SecretBytes) throws(KeyError) -> [UInt8] {
        try expand(seed).publicKey
    }

    static func sign(_ message: [UInt8], seed: SecretBytes) throws(KeyError) -> [UInt8] {
        let (secret, publicKey) = try expand(seed)
        var signature = [UInt8](repeating: 0, count: 64)
        _ = secret.withUnsafeBytes { crypto_sign_detached(&signature, nil, message, UInt64(message.count), $0.asBytes) }
        guard verify(signature, message: message, publicKey: publicKey) else { throw .faultDuringSigning }
        return signature
    }

    static func verify(_ signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == 64, publicKey.count == 32 else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
