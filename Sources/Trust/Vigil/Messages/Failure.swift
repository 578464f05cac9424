import CodeMeasurement

/// The message that no verdict is given. It is not signed, so it only ever counts as a failure.
///
/// Source: `vigil` section 7.3, type 0x7f.
public struct Failure: Hashable, Sendable {
    static let length = 13

    public var reason: Reason
    public var retryAfterMilliseconds: UInt32

    public init(_ reason: Reason, retryAfterMilliseconds: UInt32 = 0) {
        self.reason = reason
        self.retryAfterMilliseconds = retryAfterMilliseconds
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .failure, from: [.validator], length: Self.length)
        reason = try fields.value("reason")
        retryAfterMilliseconds = try fields.integer()
        try fields.end()
        guard reason != .ok else { throw Refusal(.malformed, "a failure without a reason") }
    }

    public var bytes: [UInt8] {
        var message = MessageHeader(.failure, from: .validator).bytes + [reason.rawValue]
        message.append(bigEndian: retryAfterMilliseconds)
        return message
    }
}

/// The question whether the other side is there: a header alone, and its answer.
public enum Ping {
    public static let request = MessageHeader(.ping, from: .app).bytes
    public static let answer = MessageHeader(.pong, from: .validator).bytes
}
