import CodeMeasurement
import Cryptography
import HardwareKeys

/// What an app checks of a verdict, in the order of the specification.
///
/// Source: `vigil` section 7.4.
package struct ResponseCheck {
    package var challenge: Sent<Challenge>
    /// The request that the verdict has to answer.
    package var request: Sent<Request>
    package var pin: Pin
    /// What the manifest says of the validator.
    package var expectedHash: Bytes32
    package var epoch: UInt32

    package init(
        challenge: Sent<Challenge>, request: Sent<Request>, pin: Pin, expectedHash: Bytes32, epoch: UInt32
    ) {
        self.challenge = challenge
        self.request = request
        self.pin = pin
        self.expectedHash = expectedHash
        self.epoch = epoch
    }

    /// A verdict that is the validator's own.
    package enum Verdict {
        case valid(Valid)
        case invalid(Response, Reason)
    }

    /// The response of a validator that found this app unchanged, with what was checked of it.
    package struct Valid {
        package let response: Sent<Response>
        /// The pinned key, which has signed the response.
        package let key: PublicKey
        /// Its key for the session; nil for none.
        package let ephemeral: P256PublicKey?
    }

    /// - Throws: ``Refusal`` where it is not certain that the validator said it, or where the validator itself is not
    ///   to be trusted.
    package func accept(_ received: Sent<Response>) throws(Refusal) -> Verdict {
        let (sent, response) = (request.message, received.message)
        guard !response.isValid || response.ephemeral.isAllZero == sent.ephemeral.isAllZero else {
            throw Refusal(.malformed, "a session key without one of the app, or none where the app gave one")
        }
        guard response.requestNonce == sent.nonce, response.challengeNonce == sent.challengeNonce else {
            throw Refusal(.nonceMismatch, "the verdict answers another request")
        }
        guard let kind = KeyKind(wireCode: response.keyKind) else {
            throw Refusal(.malformed, "\(response.keyKind) is no kind of key")
        }
        let key = try pin.check(response.publicKey, kind: kind)
        guard received.isSigned(by: key, answering: request, challenge: challenge) else {
            throw Refusal(.signatureInvalid, "the verdict is not signed by the pinned key")
        }
        guard response.epoch >= epoch else {
            throw Refusal(.epochRollback, "the validator's manifest has epoch \(response.epoch), older than \(epoch)")
        }
        guard response.validatorHash == expectedHash else {
            throw Refusal(
                .hashMismatch, "the validator reports \(response.validatorHash), and the manifest says \(expectedHash)")
        }
        guard let reason = Reason(rawValue: response.reason) else {
            throw Refusal(.malformed, "\(response.reason) is no reason")
        }
        guard response.isValid else { return .invalid(response, reason) }
        guard response.observedHash == .zero || response.observedHash == sent.hash else {
            throw Refusal(.hashMismatch, "the validator has measured \(response.observedHash), not \(sent.hash)")
        }
        return .valid(Valid(response: received, key: key, ephemeral: try EphemeralKey.point(response.ephemeral)))
    }
}
