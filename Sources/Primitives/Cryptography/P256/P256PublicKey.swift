#if canImport(CryptoKit)
    import CryptoKit
#endif

/// A point of the curve NIST P-256: what a signature is verified by, and what a secret is agreed on with.
package struct P256PublicKey: Hashable, Sendable {
    package static let byteCount = 65

    /// X9.63 uncompressed: 4, x and y, 65 bytes.
    package let x963: [UInt8]

    /// - Returns: nil for what is no point of the curve in this form.
    package init?(x963: some Collection<UInt8>) {
        let bytes = Array(x963)
        guard bytes.count == Self.byteCount, bytes[0] == 4 else { return nil }
        #if canImport(CryptoKit)
            guard (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil else { return nil }
        #else
            guard Curve.hasPoint(bytes) else { return nil }
        #endif
        self.x963 = bytes
    }

    /// - Parameter point: of the curve, uncompressed.
    init(known point: [UInt8]) { x963 = point }

    /// Whether a signature of a digest is by this key. A high s counts as well.
    ///
    /// - Parameter digest: SHA-256, 32 bytes.
    package func isValid(_ signature: P256Signature, ofDigest digest: [UInt8]) -> Bool {
        guard digest.count == SHA256Hash.byteCount else { return false }
        #if canImport(CryptoKit)
            guard let key = try? P256.Signing.PublicKey(x963Representation: x963),
                let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature.raw)
            else { return false }
            return key.isValidSignature(signature, for: RawDigest(digest))
        #else
            return Curve.verifies(signature.der, ofDigest: digest, by: x963)
        #endif
    }
}
