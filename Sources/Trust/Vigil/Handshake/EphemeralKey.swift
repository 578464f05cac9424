import CodeMeasurement
import Cryptography
import SecretMemory

/// A key for one session, gone when the secrets of the session are made.
struct EphemeralKey {
    private let key: P256PrivateKey

    /// - Throws: ``Refusal``: `internal` where there is no memory for it.
    init() throws(Refusal) { key = try Refusal.secret { () throws(SecretMemoryError) in try P256PrivateKey.random() } }

    var publicKey: PublicKey? { PublicKey(x963: key.publicKey.x963) }

    /// - Returns: the x coordinate that both sides have.
    func agree(with other: P256PublicKey) throws(Refusal) -> SecretBytes {
        let agreed = try Refusal.secret { () throws(SecretMemoryError) in try key.agree(with: other) }
        guard let agreed else { throw Refusal(.malformed, "the two session keys do not agree on a secret") }
        return agreed
    }

    /// Reads a session key as it was sent.
    ///
    /// - Parameter bytes: X9.63, 65 bytes; all zero for none.
    /// - Throws: ``Refusal``: `malformed` for what is neither zero nor a point on the curve.
    static func point(_ bytes: [UInt8]) throws(Refusal) -> P256PublicKey? {
        if bytes.isAllZero { return nil }
        guard let key = P256PublicKey(x963: bytes) else {
            throw Refusal(.malformed, "the session key is no point of the curve in uncompressed form")
        }
        return key
    }
}

extension Refusal {
    /// Runs what needs memory for secrets.
    static func secret<R>(_ body: () throws(SecretMemoryError) -> R) throws(Refusal) -> R {
        do throws(SecretMemoryError) { return try body() } catch { throw Refusal(.internal, "\(error)") }
    }
}
