import BasicFoundation
import Cryptography
import HardwareKeys

extension SigningKey {
    /// Signs the SHA-256 of a message.
    ///
    /// - Returns: the signature in DER.
    /// - Throws: what signing throws.
    func signDER(_ message: some DataProtocol) throws(HardwareKeyError) -> [UInt8] {
        let signature = try sign(message)
        guard let signature = P256Signature(raw: signature) else {
            throw .unexpectedResponse(command: "Sign", code: 0)
        }
        return signature.der
    }
}
