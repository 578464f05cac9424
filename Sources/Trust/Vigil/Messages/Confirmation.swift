import CodeMeasurement
import HardwareKeys

/// The app's answer to a verdict, where the validator wants one: whether it trusts the validator.
///
/// Source: `vigil` section 7.3, type 0x04.
package struct Confirmation: WireMessage {
    package static let type = MessageType.confirmation
    package static let senders: Set<Role> = [.app]
    package static let length: Int? = 140
    package static let proofLength = Signed.signatureLength

    package var challengeNonce: Bytes32
    package var requestNonce: Bytes32
    package var accepts: Bool
    package var reason: Reason
    package private(set) var signature: [UInt8]

    package init(of response: Response, reason: Reason) {
        challengeNonce = response.challengeNonce
        requestNonce = response.requestNonce
        accepts = reason == .ok
        self.reason = reason
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        challengeNonce = try fields.bytes32()
        requestNonce = try fields.bytes32()
        accepts = try fields.flag("the acceptance")
        reason = try fields.value("reason")
        try fields.zeros(2)
        signature = try fields.bytes(Signed.signatureLength)
        guard accepts == (reason == .ok) else {
            throw Refusal(.malformed, "acceptance and reason contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        MessageHeader(.confirmation, from: .app).bytes + challengeNonce.bytes + requestNonce.bytes
            + [accepts ? 1 : 0, reason.rawValue, 0, 0]
    }

    package var bytes: [UInt8] { unsigned + signature }

    package func signed(
        by key: any SigningKey, answering response: Sent<Response>, request: Sent<Request>, challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<Confirmation> {
        var signed = self
        signed.signature = try key.sign(
            Signed.confirmation(unsigned, response: response, request: request, challenge: challenge))
        return Sent(made: signed)
    }
}

extension Sent<Confirmation> {
    package func isSigned(
        by key: PublicKey, answering response: Sent<Response>, request: Sent<Request>, challenge: Sent<Challenge>
    ) -> Bool {
        key.verifies(
            message.signature,
            of: Signed.confirmation(unsigned, response: response, request: request, challenge: challenge))
    }
}
