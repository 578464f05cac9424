import CodeMeasurement
import Cryptography
import HardwareKeys

/// What a validator checks of a request before it looks at the process that sent it, in the order of the specification:
/// the first failure is the reason that the app is told.
///
/// Source: `vigil` section 7.4.
package struct RequestCheck {
    /// The challenge that is being answered.
    package var challenge: Sent<Challenge>
    package var pin: Pin
    /// What the manifest says of the app.
    package var expectedHash: Bytes32
    package var epoch: UInt32

    package init(challenge: Sent<Challenge>, pin: Pin, expectedHash: Bytes32, epoch: UInt32) {
        self.challenge = challenge
        self.pin = pin
        self.expectedHash = expectedHash
        self.epoch = epoch
    }

    /// A request that may be looked into.
    package struct Accepted {
        package let key: PublicKey
        package let kind: KeyKind
        /// The app's key for the session; nil for none.
        package let ephemeral: P256PublicKey?
    }

    package func accept(_ received: Sent<Request>) throws(Refusal) -> Accepted {
        let (asked, request) = (challenge.message, received.message)
        guard request.challengeNonce == asked.nonce else {
            throw Refusal(.nonceMismatch, "the request answers another challenge")
        }
        guard request.nonce != .zero else { throw Refusal(.malformed, "the app's nonce is zero") }
        guard request.profile == asked.profile.rawValue else {
            throw Refusal(.profileUnsupported, "profile \(request.profile), where \(asked.profile) was asked for")
        }
        guard let kind = KeyKind(wireCode: request.keyKind) else {
            throw Refusal(.malformed, "\(request.keyKind) is no kind of key")
        }
        let key = try pin.check(request.publicKey, kind: kind)
        guard received.isSigned(by: key, answering: challenge) else {
            throw Refusal(.signatureInvalid, "the request is not signed by the pinned key")
        }
        guard request.epoch >= epoch else {
            throw Refusal(.epochRollback, "the app's manifest has epoch \(request.epoch), older than \(epoch)")
        }
        guard request.hash == expectedHash else {
            throw Refusal(.hashMismatch, "the app reports \(request.hash), and the manifest says \(expectedHash)")
        }
        return Accepted(key: key, kind: kind, ephemeral: try EphemeralKey.point(request.ephemeral))
    }
}
