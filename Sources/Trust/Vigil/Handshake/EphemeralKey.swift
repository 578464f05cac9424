import CodeMeasurement
import Crypto

/// A key for one session, gone when the secrets of the session are made.
struct EphemeralKey {
    private let key = P256.KeyAgreement.PrivateKey()

    var publicKey: PublicKey? { PublicKey(x963: key.publicKey.x963Representation) }

    func agree(with other: P256.KeyAgreement.PublicKey) throws(Refusal) -> SharedSecret {
        do { return try key.sharedSecretFromKeyAgreement(with: other) } catch {
            throw Refusal(.malformed, "the two session keys do not agree on a secret")
        }
    }

    /// Reads a session key as it was sent.
    ///
    /// - Parameter bytes: X9.63, 65 bytes; all zero for none.
    /// - Throws: ``Refusal``: `malformed` for what is neither zero nor a point on the curve.
    static func point(_ bytes: [UInt8]) throws(Refusal) -> P256.KeyAgreement.PublicKey? {
        if bytes.isAllZero { return nil }
        guard bytes.first == 4, let key = try? P256.KeyAgreement.PublicKey(x963Representation: bytes) else {
            throw Refusal(.malformed, "the session key is no point of the curve in uncompressed form")
        }
        return key
    }
}
