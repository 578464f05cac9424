import CodeMeasurement
import Vigil

/// What the app's answer to a verdict has to be.
struct ConfirmationCheck {
    let challenge: Sent<Challenge>
    let request: Sent<Request>
    let response: Sent<Response>
    /// The app's key.
    let key: PublicKey

    func accept(_ received: Received) throws(Refusal) -> Confirmation {
        let sent = try Sent<Confirmation>(received)
        let (confirmation, asked) = (sent.message, request.message)
        guard confirmation.requestNonce == asked.nonce, confirmation.challengeNonce == asked.challengeNonce else {
            throw Refusal(.nonceMismatch, "the confirmation is of another verdict")
        }
        guard sent.isSigned(by: key, answering: response, request: request, challenge: challenge) else {
            throw Refusal(.signatureInvalid, "the confirmation is not signed by the app")
        }
        return confirmation
    }
}
