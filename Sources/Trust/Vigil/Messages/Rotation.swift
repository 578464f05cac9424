import CodeMeasurement
import HardwareKeys

/// A side that takes a new key, proven by the old one and the new one.
///
/// Source: `vigil` sections 6.4 and 7.5, type 0x12.
public struct RotationRequest: Hashable, Sendable {
    static let length = 309

    public var sender: Role
    public var challengeNonce: Bytes32
    public var nonce: Bytes32
    public var oldKeyID: Bytes32
    public var newKeyKind: UInt8
    /// Greater than that of the last rotation.
    public var counter: UInt64
    /// X9.63, 65 bytes.
    public var newPublicKey: [UInt8]
    public private(set) var oldSignature: [UInt8]
    public private(set) var newSignature: [UInt8]

    public init(
        from sender: Role, to challenge: Challenge, nonce: Bytes32, oldKeyID: Bytes32, newKeyKind: KeyKind,
        counter: UInt64, newPublicKey: PublicKey
    ) {
        self.sender = sender
        challengeNonce = challenge.nonce
        self.nonce = nonce
        self.oldKeyID = oldKeyID
        self.newKeyKind = newKeyKind.wireCode
        self.counter = counter
        self.newPublicKey = newPublicKey.x963
        (oldSignature, newSignature) = ([], [])
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        sender = try MessageHeader(of: message).role
        var fields = try FieldReader(message, type: .rotationRequest, from: [.app, .validator], length: Self.length)
        challengeNonce = try fields.bytes32()
        nonce = try fields.bytes32()
        oldKeyID = try fields.bytes32()
        newKeyKind = try fields.integer()
        try fields.zeros(3)
        counter = try fields.integer()
        newPublicKey = try fields.bytes(PublicKey.count)
        oldSignature = try fields.bytes(Signed.signatureCount)
        newSignature = try fields.bytes(Signed.signatureCount)
        try fields.end()
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.rotationRequest, from: sender).bytes
        message += challengeNonce.bytes + nonce.bytes + oldKeyID.bytes + [newKeyKind, 0, 0, 0]
        message.append(bigEndian: counter)
        return message + newPublicKey
    }

    public var bytes: [UInt8] { unsigned + oldSignature + newSignature }

    public func signed(
        by old: any SigningKey, and new: any SigningKey, answering challenge: [UInt8]
    ) throws(HardwareKeyError) -> RotationRequest {
        var signed = self
        let message = Signed.rotationRequest(unsigned, challenge: challenge)
        signed.oldSignature = try old.sign(message)
        signed.newSignature = try new.sign(message)
        return signed
    }
}

/// Whether a new key was taken.
///
/// Source: `vigil` section 7.5, type 0x13.
public struct RotationResponse: Hashable, Sendable {
    static let length = 140

    public var sender: Role
    public var requestNonce: Bytes32
    public var challengeNonce: Bytes32
    public var status: ProvisionStatus
    public var reason: Reason
    public private(set) var signature: [UInt8]

    public init(from sender: Role, to request: RotationRequest, status: ProvisionStatus, reason: Reason) {
        self.sender = sender
        requestNonce = request.nonce
        challengeNonce = request.challengeNonce
        self.status = status
        self.reason = reason
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        sender = try MessageHeader(of: message).role
        var fields = try FieldReader(message, type: .rotationResponse, from: [.app, .validator], length: Self.length)
        requestNonce = try fields.bytes32()
        challengeNonce = try fields.bytes32()
        status = try fields.value("status")
        reason = try fields.value("reason")
        try fields.zeros(2)
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
        guard (status == .refused) == (reason != .ok) else {
            throw Refusal(.malformed, "status and reason of the answer contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        MessageHeader(.rotationResponse, from: sender).bytes + requestNonce.bytes + challengeNonce.bytes
            + [status.rawValue, reason.rawValue, 0, 0]
    }

    public var bytes: [UInt8] { unsigned + signature }

    public func signed(
        by key: any SigningKey, answering request: [UInt8], challenge: [UInt8]
    ) throws(HardwareKeyError) -> RotationResponse {
        var signed = self
        signed.signature = try key.sign(Signed.rotationResponse(unsigned, request: request, challenge: challenge))
        return signed
    }
}

extension RotationRequest {
    package var kind: KeyKind? { KeyKind(wireCode: newKeyKind) }

    package func isSigned(by old: PublicKey, and new: PublicKey, challenge: [UInt8]) -> Bool {
        let message = Signed.rotationRequest(unsigned, challenge: challenge)
        return old.verifies(oldSignature, of: message) && new.verifies(newSignature, of: message)
    }
}

extension RotationResponse {
    package func isSigned(by key: PublicKey, request: [UInt8], challenge: [UInt8]) -> Bool {
        key.verifies(signature, of: Signed.rotationResponse(unsigned, request: request, challenge: challenge))
    }
}
