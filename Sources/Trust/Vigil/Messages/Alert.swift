import BasicFoundation
import BigEndian
import CodeMeasurement
import HardwareKeys

/// The validator's word that what it said no longer holds. It ends the session.
///
/// Source: `vigil` section 7.3, type 0x05.
package struct Alert: WireMessage {
    package static let type = MessageType.alert
    package static let senders: Set<Role> = [.validator]
    package static let length: Int? = 92
    package static let proofLength = Signed.signatureLength

    /// The number of this alert in the session, from 1.
    package var counter: UInt64
    package var reason: Reason
    package var measured: Levels
    package var timestampMilliseconds: UInt64
    package private(set) var signature: [UInt8]

    package init(counter: UInt64, reason: Reason, measured: Levels, at time: Date) {
        self.counter = counter
        self.reason = reason
        self.measured = measured.intersection(.ofMessages)
        timestampMilliseconds = time.millisecondsOfMessages
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        counter = try fields.integer()
        reason = try fields.value("reason")
        measured = Levels(rawValue: try fields.integer())
        try fields.zeros(2)
        timestampMilliseconds = try fields.integer()
        signature = try fields.bytes(Signed.signatureLength)
        guard measured.isSubset(of: .ofMessages) else { throw Refusal(.malformed, "a level that is not defined") }
        guard reason != .ok else { throw Refusal(.malformed, "an alert without a reason") }
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.alert, from: .validator).bytes
        message.append(bigEndian: counter)
        message += [reason.rawValue, measured.rawValue, 0, 0]
        message.append(bigEndian: timestampMilliseconds)
        return message
    }

    package var bytes: [UInt8] { unsigned + signature }

    /// - Parameter response: the verdict that it revokes.
    package func signed(
        by key: any SigningKey, revoking response: Sent<Response>
    ) throws(HardwareKeyError) -> Sent<Alert> {
        var signed = self
        signed.signature = try key.sign(Signed.alert(unsigned, response: response))
        return Sent(made: signed)
    }
}

extension Sent<Alert> {
    package func isSigned(by key: PublicKey, revoking response: Sent<Response>) -> Bool {
        key.verifies(message.signature, of: Signed.alert(unsigned, response: response))
    }
}
