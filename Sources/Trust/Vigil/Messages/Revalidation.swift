import BigEndian
import CodeMeasurement

/// The app's request for a fresh verdict within a session, with a code instead of a signature.
///
/// Source: `vigil` sections 7.3 and 7.7, type 0x06.
package struct Revalidate: WireMessage {
    package static let type = MessageType.revalidate
    package static let senders: Set<Role> = [.app]
    package static let length: Int? = 112
    package static let proofLength = SessionSecrets.codeLength

    /// The number of this question, from 1, and one more each time.
    package var counter: UInt64
    package var nonce: Bytes32
    /// The hash as in ``Request/hash``, or all zero: it was not measured again.
    package var hash: Bytes32
    package private(set) var code: [UInt8]

    package init(counter: UInt64, nonce: Bytes32, hash: Bytes32) {
        self.counter = counter
        self.nonce = nonce
        self.hash = hash
        code = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        counter = try fields.integer()
        nonce = try fields.bytes32()
        hash = try fields.bytes32()
        code = try fields.bytes(SessionSecrets.codeLength)
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.revalidate, from: .app).bytes
        message.append(bigEndian: counter)
        return message + nonce.bytes + hash.bytes
    }

    package var bytes: [UInt8] { unsigned + code }

    package func authenticated(by secrets: SessionSecrets) -> Sent<Revalidate> {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .revalidate)
        return Sent(made: authenticated)
    }
}

/// The validator's verdict within a session.
///
/// Source: `vigil` sections 7.3 and 7.7, type 0x07.
package struct Revalidated: WireMessage {
    package static let type = MessageType.revalidated
    package static let senders: Set<Role> = [.validator]
    package static let length: Int? = 88
    package static let proofLength = SessionSecrets.codeLength

    package var counter: UInt64
    package var nonce: Bytes32
    package var isValid: Bool
    package var reason: Reason
    package var measured: Levels
    package var timeToLiveMilliseconds: UInt32
    package private(set) var code: [UInt8]

    package init(to request: Revalidate, reason: Reason, measured: Levels, timeToLive: Duration) {
        counter = request.counter
        nonce = request.nonce
        isValid = reason == .ok
        self.reason = reason
        self.measured = measured.intersection(.ofMessages)
        timeToLiveMilliseconds = UInt32(clamping: timeToLive.inMilliseconds)
        code = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        counter = try fields.integer()
        nonce = try fields.bytes32()
        isValid = try fields.flag("the verdict")
        reason = try fields.value("reason")
        measured = Levels(rawValue: try fields.integer())
        try fields.zeros(1)
        timeToLiveMilliseconds = try fields.integer()
        code = try fields.bytes(SessionSecrets.codeLength)
        guard isValid == (reason == .ok), measured.isSubset(of: .ofMessages) else {
            throw Refusal(.malformed, "verdict, reason and levels of the answer contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.revalidated, from: .validator).bytes
        message.append(bigEndian: counter)
        message += nonce.bytes + [isValid ? 1 : 0, reason.rawValue, measured.rawValue, 0]
        message.append(bigEndian: timeToLiveMilliseconds)
        return message
    }

    package var bytes: [UInt8] { unsigned + code }

    /// - Parameter request: the message that this one answers.
    package func authenticated(
        by secrets: SessionSecrets, answering request: Sent<Revalidate>
    ) -> Sent<Revalidated> {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .revalidated(request))
        return Sent(made: authenticated)
    }

    /// How long the verdict counts without another one.
    var timeToLive: Duration { .milliseconds(Int64(timeToLiveMilliseconds)) }
}
