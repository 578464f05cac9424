import BigEndian
import CodeMeasurement

/// The message that no verdict is given. It is not signed, so it only ever counts as a failure.
///
/// Source: `vigil` section 7.3, type 0x7f.
package struct Failure: WireMessage {
    package static let type = MessageType.failure
    package static let senders: Set<Role> = [.validator]
    package static let length: Int? = 13

    package var reason: Reason
    package var retryAfterMilliseconds: UInt32

    package init(_ reason: Reason, retryAfter time: Duration = .zero) {
        self.reason = reason
        retryAfterMilliseconds = UInt32(clamping: time.inMilliseconds)
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        reason = try fields.value("reason")
        retryAfterMilliseconds = try fields.integer()
        guard reason != .ok else { throw Refusal(.malformed, "a failure without a reason") }
    }

    package var bytes: [UInt8] {
        var message = MessageHeader(.failure, from: .validator).bytes + [reason.rawValue]
        message.append(bigEndian: retryAfterMilliseconds)
        return message
    }
}

/// The question whether the other side is there: a header alone, and its answer.
package enum Ping {
    package static let request = MessageHeader(.ping, from: .app).bytes
    package static let answer = MessageHeader(.pong, from: .validator).bytes
}
