import SecretMemory

#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A private key on the curve NIST P-256, in locked memory. The library has it for the time of one use.
package struct P256PrivateKey: Sendable {
    package static let byteCount = 32

    package let publicKey: P256PublicKey
    /// Big-endian, 32 bytes.
    package let scalar: SecretBytes

    /// - Parameter scalar: big-endian, 32 bytes.
    /// - Returns: nil unless it is from 1 to the order of the curve less 1.
    package init?(scalar: SecretBytes) {
        guard scalar.count == Self.byteCount else { return nil }
        #if canImport(CryptoKit)
            let key = scalar.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
            guard let point = key.map({ Array($0.publicKey.x963Representation) }) else { return nil }
        #else
            guard let point = scalar.withUnsafeBytes(Curve.point) else { return nil }
        #endif
        publicKey = P256PublicKey(known: point)
        self.scalar = scalar
    }

    /// Reads DER: ECPrivateKey (RFC 5915) or PrivateKeyInfo (RFC 5208), not encrypted.
    ///
    /// - Returns: nil for what is neither, for another curve, and where anything follows.
    package init?(der: SecretBytes) throws(SecretMemoryError) {
        var isRead = false
        let scalar = try SecretBytes(count: Self.byteCount) { output in
            #if canImport(CryptoKit)
                let key = der.withUnsafeBytes { try? P256.Signing.PrivateKey(derRepresentation: $0) }
                key?.rawRepresentation.withUnsafeBytes { output.copyMemory(from: $0) }
                isRead = key != nil
            #else
                isRead = der.withUnsafeBytes { Curve.readScalar(ofDER: $0, into: output) }
            #endif
        }
        guard isRead else { return nil }
        self.init(scalar: scalar)
    }

    /// A new key: the scalar is drawn again in the rare case that it is not in range.
    package static func random() throws(SecretMemoryError) -> P256PrivateKey {
        while true {
            if let key = P256PrivateKey(scalar: try SecretBytes.drawn(count: byteCount)) { return key }
        }
    }

    /// Signs a digest.
    ///
    /// - Parameter digest: SHA-256, 32 bytes.
    /// - Returns: nil for a digest of another length, and where the library has no memory or no randomness.
    package func sign(digest: [UInt8]) -> P256Signature? {
        guard digest.count == SHA256Hash.byteCount else { return nil }
        #if canImport(CryptoKit)
            let key = scalar.withUnsafeBytes { try? P256.Signing.PrivateKey(rawRepresentation: $0) }
            return (try? key?.signature(for: RawDigest(digest))).flatMap { P256Signature(raw: $0.rawRepresentation) }
        #else
            return scalar.withUnsafeBytes { Curve.sign(digest, by: $0) }.flatMap(P256Signature.init(der:))
        #endif
    }

    /// Agrees on a secret with the holder of another key (ECDH).
    ///
    /// - Returns: the x coordinate, 32 bytes; nil where the library has no memory for it.
    package func agree(with other: P256PublicKey) throws(SecretMemoryError) -> SecretBytes? {
        var hasAgreed = false
        let secret = try SecretBytes(count: Self.byteCount) { output in
            #if canImport(CryptoKit)
                let key = scalar.withUnsafeBytes { try? P256.KeyAgreement.PrivateKey(rawRepresentation: $0) }
                guard let key, let point = try? P256.KeyAgreement.PublicKey(x963Representation: other.x963),
                    let agreed = try? key.sharedSecretFromKeyAgreement(with: point)
                else { return }
                agreed.withUnsafeBytes { output.copyMemory(from: $0) }
                hasAgreed = true
            #else
                hasAgreed = scalar.withUnsafeBytes { Curve.agree($0, with: other.x963, into: output) }
            #endif
        }
        return hasAgreed ? secret : nil
    }
}
