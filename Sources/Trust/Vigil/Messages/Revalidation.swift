import CodeMeasurement

/// The app's request for a fresh verdict within a session, with a code instead of a signature.
///
/// Source: `vigil` sections 7.3 and 7.7, type 0x06.
public struct Revalidate: Hashable, Sendable {
    static let length = 112

    /// The number of this question, from 1, and one more each time.
    public var counter: UInt64
    public var nonce: Bytes32
    /// The hash as in ``Request/hash``, or all zero: it was not measured again.
    public var hash: Bytes32
    public private(set) var code: [UInt8]

    public init(counter: UInt64, nonce: Bytes32, hash: Bytes32) {
        self.counter = counter
        self.nonce = nonce
        self.hash = hash
        code = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .revalidate, from: [.app], length: Self.length)
        counter = try fields.integer()
        nonce = try fields.bytes32()
        hash = try fields.bytes32()
        code = try fields.bytes(SessionSecrets.codeCount)
        try fields.end()
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.revalidate, from: .app).bytes
        message.append(bigEndian: counter)
        return message + nonce.bytes + hash.bytes
    }

    public var bytes: [UInt8] { unsigned + code }

    public func authenticated(by secrets: SessionSecrets) -> Revalidate {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .revalidate)
        return authenticated
    }
}

/// The validator's verdict within a session.
///
/// Source: `vigil` sections 7.3 and 7.7, type 0x07.
public struct Revalidated: Hashable, Sendable {
    static let length = 88

    public var counter: UInt64
    public var nonce: Bytes32
    public var isValid: Bool
    public var reason: Reason
    public var measured: Levels
    public var timeToLiveMilliseconds: UInt32
    public private(set) var code: [UInt8]

    public init(to request: Revalidate, reason: Reason, measured: Levels, timeToLiveMilliseconds: UInt32) {
        counter = request.counter
        nonce = request.nonce
        isValid = reason == .ok
        self.reason = reason
        self.measured = measured.intersection(.ofMessages)
        self.timeToLiveMilliseconds = timeToLiveMilliseconds
        code = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .revalidated, from: [.validator], length: Self.length)
        counter = try fields.integer()
        nonce = try fields.bytes32()
        isValid = try fields.flag("the verdict")
        reason = try fields.value("reason")
        measured = Levels(rawValue: try fields.integer())
        try fields.zeros(1)
        timeToLiveMilliseconds = try fields.integer()
        code = try fields.bytes(SessionSecrets.codeCount)
        try fields.end()
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

    public var bytes: [UInt8] { unsigned + code }

    /// - Parameter request: the message that this one answers.
    public func authenticated(by secrets: SessionSecrets, answering request: [UInt8]) -> Revalidated {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .revalidated(request: request))
        return authenticated
    }
}
