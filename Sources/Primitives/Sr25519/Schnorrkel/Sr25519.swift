/// Schnorr signatures on ristretto255 with Merlin transcripts, as Substrate chains use them.
///
/// Promise: secrets pass through constant-time code of libsodium only and live in `SecretBytes`; everything about public data
/// is written here, takes a time that depends on it, and refuses every encoding but the canonical one.
public enum Sr25519 {
    public static let signatureByteCount = 64

    /// Verifies a signature; returns only if it is good.
    ///
    /// - Parameters:
    ///   - signature: 64 bytes.
    ///   - publicKey: 32 bytes.
    ///   - context: the signing context; nil is `substrate`.
    /// - Throws: the first of ``Sr25519Error``'s reasons that holds.
    public static func verify(
        signature: [UInt8], message: [UInt8], publicKey: [UInt8], context: [UInt8]? = nil
    ) throws(Sr25519Error) {
        let scalar = try scalar(of: signature)
        let key = try Sr25519PublicKey(publicKey)
        try verify(signature, scalar: scalar, message: message, publicKey: key, context: context)
    }

    /// The same with a key that has been decoded already.
    public static func verify(
        signature: [UInt8], message: [UInt8], publicKey: Sr25519PublicKey, context: [UInt8]? = nil
    ) throws(Sr25519Error) {
        try verify(
            signature, scalar: try scalar(of: signature), message: message, publicKey: publicKey, context: context)
    }

    private static func scalar(of signature: [UInt8]) throws(Sr25519Error) -> [UInt8] {
        guard signature.count == signatureByteCount else {
            throw .invalidLength(expected: signatureByteCount, found: signature.count)
        }
        guard signature[63] & 0x80 != 0 else { throw .notMarkedSchnorrkel }
        var scalar = Array(signature[32...])
        scalar[31] &= 0x7f
        guard Scalar.isCanonical(scalar) else { throw .nonCanonicalScalar }
        return scalar
    }

    private static func verify(
        _ signature: [UInt8], scalar: [UInt8], message: [UInt8], publicKey: Sr25519PublicKey, context: [UInt8]?
    ) throws(Sr25519Error) {
        var transcript = SigningContext.transcript(message, context: context)
        transcript.append("proto-name", "Schnorr-sig")
        transcript.append("sign:pk", publicKey.bytes)
        // The bytes as received; only the canonical encoding of an element can equal the one that the equation gives.
        let commitment = Array(signature[..<32])
        transcript.append("sign:R", commitment)
        let challenge = Scalar.reduce(transcript.challenge("sign:c", count: 64))
        guard let r = RistrettoPoint(commitment),
            RistrettoPoint.isEqual(base: scalar, to: challenge, times: publicKey.point, plus: r)
        else { throw .signatureMismatch }
    }
}
