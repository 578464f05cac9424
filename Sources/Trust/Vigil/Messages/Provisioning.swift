import BigEndian
import CodeMeasurement
import HardwareKeys
import SecretMemory

/// An app that asks to be pinned.
///
/// Source: `vigil` sections 6.3 and 7.5, type 0x10.
package struct ProvisionRequest: WireMessage {
    package static let type = MessageType.provisionRequest
    package static let senders: Set<Role> = [.app]
    package static let length: Int? = 273
    package static let proofLength = Signed.signatureLength

    package var challengeNonce: Bytes32
    package var nonce: Bytes32
    /// Proves that the installer gave both sides the same token; all zero without one.
    package var tokenCode: Bytes32
    package var hash: Bytes32
    package var epoch: UInt32
    package var keyKind: UInt8
    /// X9.63, 65 bytes.
    package var publicKey: [UInt8]
    /// The signature by the key that it carries.
    package private(set) var signature: [UInt8]

    package init(
        to challenge: Challenge, nonce: Bytes32, token: SecretBytes?, hash: Bytes32, epoch: UInt32, keyKind: KeyKind,
        publicKey: PublicKey
    ) {
        challengeNonce = challenge.nonce
        self.nonce = nonce
        tokenCode = ProvisioningToken.code(
            token, sender: .app, challengeNonce: challenge.nonce, requestNonce: nonce, publicKey: publicKey.x963)
        self.hash = hash
        self.epoch = epoch
        self.keyKind = keyKind.wireCode
        self.publicKey = publicKey.x963
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        challengeNonce = try fields.bytes32()
        nonce = try fields.bytes32()
        tokenCode = try fields.bytes32()
        hash = try fields.bytes32()
        epoch = try fields.integer()
        keyKind = try fields.integer()
        try fields.zeros(3)
        publicKey = try fields.bytes(PublicKey.count)
        signature = try fields.bytes(Signed.signatureLength)
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.provisionRequest, from: .app).bytes
        message += challengeNonce.bytes + nonce.bytes + tokenCode.bytes + hash.bytes
        message.append(bigEndian: epoch)
        return message + [keyKind, 0, 0, 0] + publicKey
    }

    package var bytes: [UInt8] { unsigned + signature }

    package func signed(
        by key: any SigningKey, answering challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<ProvisionRequest> {
        var signed = self
        signed.signature = try key.sign(Signed.provisionRequest(unsigned, challenge: challenge))
        return Sent(made: signed)
    }
}

/// What became of a wish to be pinned.
public enum ProvisionStatus: UInt8, Sendable {
    case refused = 0
    case pinned = 1
    /// The key had been pinned before.
    case alreadyPinned = 2
}

/// The validator's answer to an app that asks to be pinned, with its own key.
///
/// Source: `vigil` sections 6.3 and 7.5, type 0x11.
package struct ProvisionResponse: WireMessage {
    package static let type = MessageType.provisionResponse
    package static let senders: Set<Role> = [.validator]
    package static let length: Int? = 273
    package static let proofLength = Signed.signatureLength

    package var requestNonce: Bytes32
    package var challengeNonce: Bytes32
    package var status: ProvisionStatus
    package var reason: Reason
    package var keyKind: UInt8
    package var epoch: UInt32
    package var validatorHash: Bytes32
    package var tokenCode: Bytes32
    /// X9.63, 65 bytes.
    package var publicKey: [UInt8]
    package private(set) var signature: [UInt8]

    package init(
        to request: ProvisionRequest, status: ProvisionStatus, reason: Reason, keyKind: KeyKind, epoch: UInt32,
        validatorHash: Bytes32, token: SecretBytes?, publicKey: PublicKey
    ) {
        requestNonce = request.nonce
        challengeNonce = request.challengeNonce
        self.status = status
        self.reason = reason
        self.keyKind = keyKind.wireCode
        self.epoch = epoch
        self.validatorHash = validatorHash
        tokenCode = ProvisioningToken.code(
            token, sender: .validator, challengeNonce: request.challengeNonce, requestNonce: request.nonce,
            publicKey: publicKey.x963)
        self.publicKey = publicKey.x963
        signature = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        requestNonce = try fields.bytes32()
        challengeNonce = try fields.bytes32()
        status = try fields.value("status")
        reason = try fields.value("reason")
        keyKind = try fields.integer()
        try fields.zeros(1)
        epoch = try fields.integer()
        validatorHash = try fields.bytes32()
        tokenCode = try fields.bytes32()
        publicKey = try fields.bytes(PublicKey.count)
        signature = try fields.bytes(Signed.signatureLength)
        guard (status == .refused) == (reason != .ok) else {
            throw Refusal(.malformed, "status and reason of the answer contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.provisionResponse, from: .validator).bytes
        message += requestNonce.bytes + challengeNonce.bytes + [status.rawValue, reason.rawValue, keyKind, 0]
        message.append(bigEndian: epoch)
        return message + validatorHash.bytes + tokenCode.bytes + publicKey
    }

    package var bytes: [UInt8] { unsigned + signature }

    package func signed(
        by key: any SigningKey, answering request: Sent<ProvisionRequest>, challenge: Sent<Challenge>
    ) throws(HardwareKeyError) -> Sent<ProvisionResponse> {
        var signed = self
        signed.signature = try key.sign(Signed.provisionResponse(unsigned, request: request, challenge: challenge))
        return Sent(made: signed)
    }
}

/// The token that the installer handed to both sides, so that no other program is pinned in between.
package enum ProvisioningToken {
    /// Bytes of a token.
    package static let count = 32

    /// - Parameter token: 32 bytes; nil for none, which gives 32 zero bytes.
    package static func code(
        _ token: SecretBytes?, sender: Role, challengeNonce: Bytes32, requestNonce: Bytes32, publicKey: [UInt8]
    ) -> Bytes32 {
        guard let token else { return .zero }
        let parts = parts(
            of: sender, challengeNonce: challengeNonce, requestNonce: requestNonce, publicKey: publicKey)
        return Bytes32(trusted: HMACSHA256.code(key: token, parts))
    }

    /// Whether a code is that of a token, compared in constant time.
    fileprivate static func isCode(
        _ code: Bytes32, of token: SecretBytes, sender: Role, challengeNonce: Bytes32, requestNonce: Bytes32,
        publicKey: [UInt8]
    ) -> Bool {
        let parts = parts(
            of: sender, challengeNonce: challengeNonce, requestNonce: requestNonce, publicKey: publicKey)
        return HMACSHA256.isCode(code.bytes, key: token, parts)
    }

    private static func parts(
        of sender: Role, challengeNonce: Bytes32, requestNonce: Bytes32, publicKey: [UInt8]
    ) -> [[UInt8]] {
        let purpose = sender == .app ? "vigil/v2/provision-app\0" : "vigil/v2/provision-validator\0"
        return [Array(purpose.utf8), challengeNonce.bytes, requestNonce.bytes, publicKey]
    }
}

extension ProvisionRequest {
    package var kind: KeyKind? { KeyKind(wireCode: keyKind) }

    /// Whether the sender has the token.
    package func carries(_ token: SecretBytes) -> Bool {
        ProvisioningToken.isCode(
            tokenCode, of: token, sender: .app, challengeNonce: challengeNonce, requestNonce: nonce,
            publicKey: publicKey)
    }
}

extension Sent<ProvisionRequest> {
    package func isSigned(by key: PublicKey, answering challenge: Sent<Challenge>) -> Bool {
        key.verifies(message.signature, of: Signed.provisionRequest(unsigned, challenge: challenge))
    }
}

extension ProvisionResponse {
    package var kind: KeyKind? { KeyKind(wireCode: keyKind) }

    package func carries(_ token: SecretBytes) -> Bool {
        ProvisioningToken.isCode(
            tokenCode, of: token, sender: .validator, challengeNonce: challengeNonce, requestNonce: requestNonce,
            publicKey: publicKey)
    }
}

extension Sent<ProvisionResponse> {
    package func isSigned(
        by key: PublicKey, answering request: Sent<ProvisionRequest>, challenge: Sent<Challenge>
    ) -> Bool {
        key.verifies(message.signature, of: Signed.provisionResponse(unsigned, request: request, challenge: challenge))
    }
}
