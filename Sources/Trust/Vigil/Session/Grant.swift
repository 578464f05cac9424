import CodeMeasurement
import HardwareKeys
import SecretMemory

/// A secret that a validator keeps for the app and hands out with a valid verdict alone, sealed for the session.
///
/// Source: `vigil` sections 1.3 and 7.6.
package enum Grant {
    private static let nonce = [UInt8](repeating: 0, count: 12)

    /// Bytes that the secret may have, so that it fits into a message with its tag.
    package static let limit = Response.grantLimit - SealedBytes.tagCount

    /// - Returns: the ciphertext and its tag, at most ``Response/grantLimit`` bytes.
    package static func seal(_ secret: SecretBytes, key: SecretBytes) throws(HardwareKeyError) -> [UInt8] {
        // The nonce is the same each time and the key never is.
        try SealedBytes.seal(secret, key: key, nonce: nonce, authenticating: [])
    }

    /// - Throws: ``Refusal``: `malformed` for what does not open.
    package static func open(_ sealed: [UInt8], key: SecretBytes) throws(Refusal) -> SecretBytes {
        let secret: SecretBytes?
        do throws(HardwareKeyError) {
            secret = try SealedBytes.opened(sealed, key: key, nonce: nonce, authenticating: [])
        } catch {
            throw Refusal(.internal, "\(error)")
        }
        guard let secret else { throw Refusal(.malformed, "the grant does not open") }
        return secret
    }
}
