import CodeMeasurement
import SecretMemory

/// The app's side of a session: what a valid verdict with two session keys leaves behind.
package struct ClientSession: Sendable {
    package let secrets: SessionSecrets
    /// The validator's key, which signs its alerts.
    let validatorKey: PublicKey
    /// The verdict that the session rests on.
    let response: Sent<Response>
    let hash: Bytes32
    private var counter: UInt64 = 0
    private var alerts: UInt64 = 0

    /// - Parameters:
    ///   - ephemeral: the key that the request offered.
    ///   - verdict: the positive verdict, as it was checked.
    /// - Returns: nil unless the verdict has a session key, and the grant where it has one.
    /// - Throws: ``Refusal``: `malformed` where the keys do not agree on a secret, or the grant does not open.
    static func begin(
        _ ephemeral: EphemeralKey, verdict: ResponseCheck.Valid, challenge: Sent<Challenge>, request: Sent<Request>
    ) throws(Refusal) -> (session: ClientSession, grant: SecretBytes?)? {
        guard let other = verdict.ephemeral else { return nil }
        let agreed = try ephemeral.agree(with: other)
        let response = verdict.response
        let sealed = response.message.grant
        let grant =
            sealed.isEmpty
            ? nil
            : try Grant.open(
                sealed, key: SessionSecrets.grantKey(of: agreed, challenge: challenge, request: request))
        let secrets = try SessionSecrets(agreed, challenge: challenge, request: request, response: response)
        let session = ClientSession(
            secrets: secrets, validatorKey: verdict.key, response: response, hash: request.message.hash)
        return (session, grant)
    }

    private init(secrets: SessionSecrets, validatorKey: PublicKey, response: Sent<Response>, hash: Bytes32) {
        self.secrets = secrets
        self.validatorKey = validatorKey
        self.response = response
        self.hash = hash
    }

    /// The next message that asks for a fresh verdict.
    mutating func revalidate() -> Sent<Revalidate> {
        counter += 1
        return Revalidate(counter: counter, nonce: .random(), hash: hash).authenticated(by: secrets)
    }

    /// - Parameter request: the question that was sent.
    /// - Returns: the validator's own verdict.
    /// - Throws: ``Refusal``: `malformed`, `signatureInvalid`, `nonceMismatch`.
    func accept(_ received: Received, answering request: Sent<Revalidate>) throws(Refusal) -> Revalidated {
        let answer = try Sent<Revalidated>(received)
        guard secrets.accepts(answer.message.code, of: answer.unsigned, .revalidated(request)) else {
            throw Refusal(.signatureInvalid, "the verdict within the session is not by the validator")
        }
        let (verdict, asked) = (answer.message, request.message)
        guard verdict.counter == asked.counter, verdict.nonce == asked.nonce else {
            throw Refusal(.nonceMismatch, "the verdict within the session answers another request")
        }
        return verdict
    }

    /// Reads what revokes the session.
    ///
    /// - Throws: ``Refusal``: `signatureInvalid` and `nonceMismatch` for what only looks like it, which is no less a
    ///   reason to end.
    mutating func accept(alert received: Received) throws(Refusal) -> Alert {
        let alert = try Sent<Alert>(received)
        guard alert.isSigned(by: validatorKey, revoking: response) else {
            throw Refusal(.signatureInvalid, "the alert is not signed by the validator")
        }
        alerts += 1
        guard alert.message.counter == alerts else { throw Refusal(.nonceMismatch, "the alert is not the next one") }
        return alert.message
    }
}
