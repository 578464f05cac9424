import CodeMeasurement
import Crypto
import SecretMemory

/// The app's side of a session: what a valid verdict with two session keys leaves behind.
package struct ClientSession: Sendable {
    package let secrets: SessionSecrets
    /// The validator's key, which signs its alerts.
    let validatorKey: PublicKey
    /// The verdict that the session rests on, as it was received.
    let response: [UInt8]
    let hash: Bytes32
    private var counter: UInt64 = 0
    private var alerts: UInt64 = 0

    /// - Returns: nil unless the request offered a session key and the verdict has one.
    /// - Throws: ``Refusal``: `malformed` where the keys do not agree on a secret, or the grant does not open.
    static func begin(
        _ ephemeral: EphemeralKey?, with other: P256.KeyAgreement.PublicKey?, validatorKey: PublicKey,
        challenge: [UInt8], request: [UInt8], response: [UInt8], parsed: Response, hash: Bytes32
    ) throws(Refusal) -> (session: ClientSession, grant: SecretBytes?)? {
        guard let ephemeral, let other else { return nil }
        let agreed = try ephemeral.agree(with: other)
        let grant =
            parsed.grant.isEmpty
            ? nil : try Grant.open(parsed.grant, key: agreed.grantKey(challenge: challenge, request: request))
        let secrets = SessionSecrets(agreed, challenge: challenge, request: request, response: response)
        return (ClientSession(secrets: secrets, validatorKey: validatorKey, response: response, hash: hash), grant)
    }

    private init(secrets: SessionSecrets, validatorKey: PublicKey, response: [UInt8], hash: Bytes32) {
        self.secrets = secrets
        self.validatorKey = validatorKey
        self.response = response
        self.hash = hash
    }

    /// The next message that asks for a fresh verdict.
    mutating func revalidate() -> Revalidate {
        counter += 1
        return Revalidate(counter: counter, nonce: .random(), hash: hash).authenticated(by: secrets)
    }

    /// - Parameter request: the message that was sent.
    /// - Returns: the validator's own verdict.
    /// - Throws: ``Refusal``: `malformed`, `signatureInvalid`, `nonceMismatch`.
    func accept(_ message: [UInt8], answering request: Revalidate) throws(Refusal) -> Revalidated {
        let answer = try Revalidated(parsing: message)
        guard secrets.accepts(answer.code, of: answer.unsigned, .revalidated(request: request.bytes)) else {
            throw Refusal(.signatureInvalid, "the verdict within the session is not by the validator")
        }
        guard answer.counter == request.counter, answer.nonce == request.nonce else {
            throw Refusal(.nonceMismatch, "the verdict within the session answers another request")
        }
        return answer
    }

    /// Reads what revokes the session.
    ///
    /// - Throws: ``Refusal``: `signatureInvalid` and `nonceMismatch` for what only looks like it, which is no less a
    ///   reason to end.
    mutating func accept(alert message: [UInt8]) throws(Refusal) -> Alert {
        let alert = try Alert(parsing: message)
        guard validatorKey.verifies(alert.signature, of: Signed.alert(alert.unsigned, response: response)) else {
            throw Refusal(.signatureInvalid, "the alert is not signed by the validator")
        }
        alerts += 1
        guard alert.counter == alerts else { throw Refusal(.nonceMismatch, "the alert is not the next one") }
        return alert
    }
}
