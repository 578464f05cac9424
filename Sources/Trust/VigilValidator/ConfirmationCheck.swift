import CodeMeasurement
import Vigil

/// What the app's answer to a verdict has to be.
struct ConfirmationCheck {
    private let challenge, request, response: [UInt8]
    private let key: PublicKey

    init(_ challenge: [UInt8], _ request: [UInt8], _ response: [UInt8], key: PublicKey) {
        self.challenge = challenge
        self.request = request
        self.response = response
        self.key = key
    }

    func accept(_ message: [UInt8]) throws(Refusal) -> Confirmation {
        let confirmation = try Confirmation(parsing: message)
        let asked = try Request(parsing: request)
        guard confirmation.requestNonce == asked.nonce, confirmation.challengeNonce == asked.challengeNonce else {
            throw Refusal(.nonceMismatch, "the confirmation is of another verdict")
        }
        guard confirmation.isSigned(by: key, response: response, request: request, challenge: challenge) else {
            throw Refusal(.signatureInvalid, "the confirmation is not signed by the app")
        }
        return confirmation
    }
}
