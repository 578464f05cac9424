import BigEndian
import CodeMeasurement
import HardwareKeys

/// A side that takes a new key, proven by the old one and the new one.
///
/// Source: `vigil` sections 6.4 and 7.5, type 0x12.
package struct RotationRequest: WireMessage {
    package static let type = MessageType.rotationRequest
    package static let senders: Set<Role> = [.app, .validator]
    package static let length: Int? = 309
    package static let proofLength = 2 * Signed.signatureLength

    package var sender: Role
    package var challengeNonce: Bytes32
    package var nonce: Bytes32
    package var oldKeyID: Bytes32
    package var newKeyKind: UInt8
    /// Greater than that of the last rotation.
    package var counter: UInt64
    /// X9.63, 65 bytes.
    package var newPublicKey: [UInt8]
    package private(set) var oldSignature: [UInt8]
    package private(set) var newSignature: [UInt8]

    package init(
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

    package init(reading fields: inout FieldReader) throws(Refusal) {
        sender = fields.sender
        challengeNonce = try fields.bytes32()
        nonce = try fields.bytes32()
        oldKeyID = try fields.bytes32()
        newKeyKind = try fields.integer()
        try fields.zeros(3)
        counter = try fields.integer()
        newPublicKey = try fields.bytes(PublicKey.count)
        oldSignature = try fields.bytes(Signed.signatureLength)
        newSignature = try fields.bytes(Signed.signatureLength)
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.rotationRequest, from: sender).bytes
        message += challengeNonce.bytes + nonce.bytes + oldKeyID.bytes + [newKeyKind, 0, 0, 0]
        message.append(bigEndian: counter)
        return message + newPublicKey
    }

    package var bytes: [UInt8] { unsigned + oldSignature + newSignature }

    package func signed(
        by old: any SigningKey, and new: any SigningKey, answering challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<RotationRequest> {
        var signed = self
        let message = Signed.rotationRequest(unsigned, challenge: challenge)
        signed.oldSignature = try old.sign(message)
        signed.newSignature = try new.sign(message)
        return Sent(made: signed)
    }
}

/// Whether a new key was taken.
///
/// Source: `vigil` section 7.5, type 0x13.
package struct RotationResponse: WireMessage {
    package static let type = MessageType.rotationResponse
    package static let senders: Set<Role> = [.app, .validator]
    package static let length: Int? = 140
    package static let proofLength = Signed.signatureLength

    package var sender: Role
    package var requestNonce: Bytes32
    package var challengeNonce: Bytes32
    package var status: ProvisionStatus
    package var reason: Reason
    package private(set) var signature: [UInt8]

    package init(from sender: Role, to request: RotationRequest, status: ProvisionStatus, reason: Reason) {
        self.sender = sender
        requestNonce = request.nonce
        challengeNonce = request.challengeNonce
        self.status = status
        self.reason = reason
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        sender = fields.sender
        requestNonce = try fields.bytes32()
        challengeNonce = try fields.bytes32()
        status = try fields.value("status")
        reason = try fields.value("reason")
        try fields.zeros(2)
        signature = try fields.bytes(Signed.signatureLength)
        guard (status == .refused) == (reason != .ok) else {
            throw Refusal(.malformed, "status and reason of the answer contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        MessageHeader(.rotationResponse, from: sender).bytes + requestNonce.bytes + challengeNonce.bytes
            + [status.rawValue, reason.rawValue, 0, 0]
    }

    package var bytes: [UInt8] { unsigned + signature }

    package func signed(
        by key: any SigningKey, answering request: Sent<RotationRequest>, challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<RotationResponse> {
        var signed = self
        signed.signature = try key.sign(Signed.rotationResponse(unsigned, request: request, challenge: challenge))
        return Sent(made: signed)
    }
}

extension RotationRequest {
    package var kind: KeyKind? { KeyKind(wireCode: newKeyKind) }
}

extension Sent<RotationRequest> {
    package func isSigned(by old: PublicKey, and new: PublicKey, answering challenge: Sent<Challenge>) -> Bool {
        let signed = Signed.rotationRequest(unsigned, challenge: challenge)
        return old.verifies(message.oldSignature, of: signed) && new.verifies(message.newSignature, of: signed)
    }
}

extension Sent<RotationResponse> {
    package func isSigned(
        by key: PublicKey, answering request: Sent<RotationRequest>, challenge: Sent<Challenge>
    ) -> Bool {
        key.verifies(message.signature, of: Signed.rotationResponse(unsigned, request: request, challenge: challenge))
    }
}
