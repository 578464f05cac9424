/// Schnorr signatures on ristretto255 with Merlin transcripts, as Substrate chains use them.
///
/// Promise: secrets pass through constant-time code of libsodium only and live in `SecretBytes`; everything about
/// public data is written here, takes a time that depends on it, and refuses every encoding but the canonical one.
public enum Sr25519 {
    /// The size of a signature.
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
        let signature = try ParsedSignature(signature)
        let (a, r) = RistrettoPoint.decode(try Sr25519PublicKey.words(publicKey), and: signature.commitment)
        guard let a else { throw .invalidPublicKey }
        let challenge = signature.challenge(message: message, publicKey: publicKey, context: context)
        guard let r, RistrettoPoint.isEqual(base: signature.scalar, to: challenge, times: a, plus: r) else {
            throw .signatureMismatch
        }
    }

    /// The same with a key that has been decoded already.
    public static func verify(
        signature: [UInt8], message: [UInt8], publicKey: Sr25519PublicKey, context: [UInt8]? = nil
    ) throws(Sr25519Error) {
        guard let a = publicKey.decoded else {
            return try verify(signature: signature, message: message, publicKey: publicKey.bytes, context: context)
        }
        let signature = try ParsedSignature(signature)
        let challenge = signature.challenge(message: message, publicKey: publicKey.bytes, context: context)
        guard let r = RistrettoPoint(words: signature.commitment),
            RistrettoPoint.isEqual(base: signature.scalar, to: challenge, times: a, plus: r)
        else { throw .signatureMismatch }
    }
}
