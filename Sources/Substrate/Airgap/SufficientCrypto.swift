import SCALE
import Substrate

/// A signature of an update with the key that made it: what a vault that vouches for the update gives out, and what is
/// joined with the content on a connected machine.
///
///     let crypto = try SufficientCrypto(scaleEncoded: scanned)
///     guard crypto.vouches(for: content) else { … }
///     let payload = UpdatePayload.payload(content, vouchedBy: crypto)
///
/// Source: `signer-wire` section 7.9.
public struct SufficientCrypto: Hashable, Sendable {
    /// The key that signed.
    public let signer: MultiSigner
    /// 64 bytes, or 65 of ecdsa.
    public let signature: [UInt8]

    /// - Returns: nil if the signature has not the length of its scheme's.
    public init?(signer: MultiSigner, signature: [UInt8]) {
        guard signature.count == signer.scheme.signatureByteCount else { return nil }
        self.signer = signer
        self.signature = signature
    }

    /// Whether the key has signed this content, which is nothing that could be a transaction too.
    public func vouches(for content: UpdatePayload.Content) -> Bool {
        guard (try? content.checkSignable()) != nil else { return false }
        return SignatureVerifier.isValid(
            signature: signature, message: content.signedBytes, publicKey: signer.publicKey, scheme: signer.scheme)
    }
}

extension SufficientCrypto: ScaleCodable {
    /// Reads the SCALE encoding.
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        signer = try MultiSigner(from: &decoder)
        signature = try decoder.array(signer.scheme.signatureByteCount)
    }

    /// Appends the SCALE encoding.
    public func encode(to encoder: inout ScaleEncoder) {
        encoder.value(signer)
        encoder.raw(signature)
    }
}

extension UpdatePayload {
    /// The payload that carries the content with somebody's word for it.
    ///
    /// - Parameters:
    ///   - content: what is new.
    ///   - crypto: its signature, which a vault verifies.
    public static func payload(_ content: Content, vouchedBy crypto: SufficientCrypto) -> [UInt8] {
        payload(content, signature: (crypto.signer, crypto.signature))
    }
}
