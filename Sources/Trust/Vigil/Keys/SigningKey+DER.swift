import BasicFoundation
import Crypto
import HardwareKeys

extension SigningKey {
    /// Signs the SHA-256 of a message.
    ///
    /// - Returns: the signature in DER.
    /// - Throws: what signing throws.
    func signDER(_ message: some DataProtocol) throws(HardwareKeyError) -> [UInt8] {
        let signature = try sign(message)
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else {
            throw .unexpectedResponse(command: "Sign", code: 0)
        }
        return Array(signature.derRepresentation)
    }
}
