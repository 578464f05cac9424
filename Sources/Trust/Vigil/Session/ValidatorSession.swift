import BasicFoundation
import CodeMeasurement
import HardwareKeys
import SecretMemory

/// The validator's side of a session.
package struct ValidatorSession: Sendable {
    package let secrets: SessionSecrets
    /// The verdict that the session rests on.
    package let response: Sent<Response>
    private let hash: Bytes32
    private var counter: UInt64 = 0
    private var alerts: UInt64 = 0

    package init(secrets: SessionSecrets, response: Sent<Response>, hash: Bytes32) {
        self.secrets = secrets
        self.response = response
        self.hash = hash
    }

    /// Checks a request for a fresh verdict; what comes then is to look at the process again.
    ///
    /// - Throws: ``Refusal``, which ends the session: `malformed`, `signatureInvalid`, `nonceMismatch`, `hashMismatch`.
    package mutating func accept(_ received: Received) throws(Refusal) -> Sent<Revalidate> {
        let sent = try Sent<Revalidate>(received)
        let request = sent.message
        guard secrets.accepts(request.code, of: sent.unsigned, .revalidate) else {
            throw Refusal(.signatureInvalid, "the request within the session is not by the app")
        }
        guard request.counter == counter + 1 else {
            throw Refusal(.nonceMismatch, "request \(request.counter) within the session, where \(counter + 1) is next")
        }
        guard request.hash == .zero || request.hash == hash else {
            throw Refusal(.hashMismatch, "the app now reports \(request.hash), and before \(hash)")
        }
        counter = request.counter
        return sent
    }

    package func accept(evidenceRequest received: Received) throws(Refusal) -> EvidenceRequest {
        let request = try Sent<EvidenceRequest>(received)
        guard secrets.accepts(request.message.code, of: request.unsigned, .evidenceRequest) else {
            throw Refusal(.signatureInvalid, "the request for evidence is not by the app")
        }
        return request.message
    }

    /// The next message that revokes what was said.
    package mutating func alert(
        _ reason: Reason, measured: Levels, at time: Date, by key: any SigningKey
    ) throws(HardwareKeyError) -> Sent<Alert> {
        alerts += 1
        return try Alert(counter: alerts, reason: reason, measured: measured, at: time)
            .signed(by: key, revoking: response)
    }
}
