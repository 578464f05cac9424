import CodeMeasurement
import HardwareKeys

/// The validator's word that what it said no longer holds. It ends the session.
///
/// Source: `vigil` section 7.3, type 0x05.
public struct Alert: Hashable, Sendable {
    static let length = 92

    /// The number of this alert in the session, from 1.
    public var counter: UInt64
    public var reason: Reason
    public var measured: Levels
    public var timestampMilliseconds: UInt64
    public private(set) var signature: [UInt8]

    public init(counter: UInt64, reason: Reason, measured: Levels, timestampMilliseconds: UInt64) {
        self.counter = counter
        self.reason = reason
        self.measured = measured.intersection(.ofMessages)
        self.timestampMilliseconds = timestampMilliseconds
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .alert, from: [.validator], length: Self.length)
        counter = try fields.integer()
        reason = try fields.value("reason")
        measured = Levels(rawValue: try fields.integer())
        try fields.zeros(2)
        timestampMilliseconds = try fields.integer()
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
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

    public var bytes: [UInt8] { unsigned + signature }

    /// - Parameter response: the verdict that it revokes.
    public func signed(by key: any SigningKey, revoking response: [UInt8]) throws(HardwareKeyError) -> Alert {
        var signed = self
        signed.signature = try key.sign(Signed.alert(unsigned, response: response))
        return signed
    }
}
