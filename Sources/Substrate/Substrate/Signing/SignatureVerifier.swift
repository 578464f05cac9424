import Sr25519

/// Verifies signatures of all four schemes, strictly.
public enum SignatureVerifier {
    /// - Parameters:
    ///   - signature: 64 bytes, or 65 with the recovery id.
    ///   - message: what the scheme signs: the payload or its hash (``SigningPayload``), or a whole wrapped message.
    ///   - publicKey: 32 bytes, or 33 compressed.
    /// - Returns: whether the key made the signature for this message. The sr25519 identity key, under which every
    ///   message verifies, never did.
    public static func isValid(
        signature: [UInt8], message: [UInt8], publicKey: [UInt8], scheme: SignatureScheme
    ) -> Bool {
        switch scheme {
        case .sr25519:
            guard let key = try? Sr25519PublicKey(publicKey), !key.isIdentity else { return false }
            do {
                try Sr25519.verify(signature: signature, message: message, publicKey: key)
                return true
            } catch {
                return false
            }
        case .ed25519:
            return Ed25519.verify(signature, message: message, publicKey: publicKey)
        case .ecdsa, .ethereum:
            return Secp256k1.recover(signature, digest: scheme.digest(of: message)) == publicKey
        }
    }
}
