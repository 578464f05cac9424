import CodeMeasurement
import Crypto
import HardwareKeys
import SecretMemory

/// An app that asks to be pinned.
///
/// Source: `vigil` sections 6.3 and 7.5, type 0x10.
public struct ProvisionRequest: Hashable, Sendable {
    static let length = 273

    public var challengeNonce: Bytes32
    public var nonce: Bytes32
    /// Proves that the installer gave both sides the same token; all zero without one.
    public var tokenCode: Bytes32
    public var hash: Bytes32
    public var epoch: UInt32
    public var keyKind: UInt8
    /// X9.63, 65 bytes.
    public var publicKey: [UInt8]
    /// The signature by the key that it carries.
    public private(set) var signature: [UInt8]

    public init(
        to challenge: Challenge, nonce: Bytes32, token: SecretBytes?, hash: Bytes32, epoch: UInt32, keyKind: KeyKind,
        publicKey: PublicKey
    ) {
        challengeNonce = challenge.nonce
        self.nonce = nonce
        tokenCode = ProvisioningToken.code(token, .app, challenge.nonce, nonce, publicKey.x963)
        self.hash = hash
        self.epoch = epoch
        self.keyKind = keyKind.wireCode
        self.publicKey = publicKey.x963
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .provisionRequest, from: [.app], length: Self.length)
        challengeNonce = try fields.bytes32()
        nonce = try fields.bytes32()
        tokenCode = try fields.bytes32()
        hash = try fields.bytes32()
        epoch = try fields.integer()
        keyKind = try fields.integer()
        try fields.zeros(3)
        publicKey = try fields.bytes(PublicKey.count)
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
    }

    package var unsigned: [UInt8] {
        var message = MessageHeader(.provisionRequest, from: .app).bytes
        message += challengeNonce.bytes + nonce.bytes + tokenCode.bytes + hash.bytes
        message.append(bigEndian: epoch)
        return message + [keyKind, 0, 0, 0] + publicKey
    }

    public var bytes: [UInt8] { unsigned + signature }

    public func signed(by key: any SigningKey, answering challenge: [UInt8]) throws(HardwareKeyError)
        -> ProvisionRequest
    {
        var signed = self
        signed.signature = try key.sign(Signed.provisionRequest(unsigned, challenge: challenge))
        return signed
    }
}

/// What became of a wish to be pinned.
public enum ProvisionStatus: UInt8, Sendable {
    case refused = 0
    case pinned = 1
    case alreadyPinned = 2
}

/// The validator's answer to an app that asks to be pinned, with its own key.
///
/// Source: `vigil` sections 6.3 and 7.5, type 0x11.
public struct ProvisionResponse: Hashable, Sendable {
    static let length = 273

    public var requestNonce: Bytes32
    public var challengeNonce: Bytes32
    public var status: ProvisionStatus
    public var reason: Reason
    public var keyKind: UInt8
    public var epoch: UInt32
    public var validatorHash: Bytes32
    public var tokenCode: Bytes32
    /// X9.63, 65 bytes.
    public var publicKey: [UInt8]
    public private(set) var signature: [UInt8]

    public init(
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
            token, .validator, request.challengeNonce, request.nonce, publicKey.x963)
        self.publicKey = publicKey.x963
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .provisionResponse, from: [.validator], length: Self.length)
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
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
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

    public var bytes: [UInt8] { unsigned + signature }

    public func signed(
        by key: any SigningKey, answering request: [UInt8], challenge: [UInt8]
    ) throws(HardwareKeyError) -> ProvisionResponse {
        var signed = self
        signed.signature = try key.sign(Signed.provisionResponse(unsigned, request: request, challenge: challenge))
        return signed
    }
}

/// The token that the installer handed to both sides, so that no other program is pinned in between.
public enum ProvisioningToken {
    public static let count = 32

    /// - Parameter token: 32 bytes; nil for none, which gives 32 zero bytes.
    package static func code(
        _ token: SecretBytes?, _ sender: Role, _ challengeNonce: Bytes32, _ requestNonce: Bytes32, _ publicKey: [UInt8]
    ) -> Bytes32 {
        guard let token else { return .zero }
        let purpose = sender == .app ? "vigil/v2/provision-app\0" : "vigil/v2/provision-validator\0"
        let message = Array(purpose.utf8) + challengeNonce.bytes + requestNonce.bytes + publicKey
        let code = token.withUnsafeBytes {
            HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: $0))
        }
        return Bytes32(code) ?? .zero
    }

    /// Whether two codes are the same, compared in constant time.
    package static func matches(_ code: Bytes32, _ expected: Bytes32) -> Bool {
        zip(code.bytes, expected.bytes).reduce(UInt8(0)) { $0 | $1.0 ^ $1.1 } == 0
    }
}

extension ProvisionRequest {
    package var kind: KeyKind? { KeyKind(wireCode: keyKind) }

    package func isSigned(by key: PublicKey, challenge: [UInt8]) -> Bool {
        key.verifies(signature, of: Signed.provisionRequest(unsigned, challenge: challenge))
    }

    /// Whether the sender has the token.
    package func carries(_ token: SecretBytes) -> Bool {
        ProvisioningToken.matches(
            tokenCode, ProvisioningToken.code(token, .app, challengeNonce, nonce, publicKey))
    }
}

extension ProvisionResponse {
    package var kind: KeyKind? { KeyKind(wireCode: keyKind) }

    package func isSigned(by key: PublicKey, request: [UInt8], challenge: [UInt8]) -> Bool {
        key.verifies(signature, of: Signed.provisionResponse(unsigned, request: request, challenge: challenge))
    }

    package func carries(_ token: SecretBytes) -> Bool {
        ProvisioningToken.matches(
            tokenCode, ProvisioningToken.code(token, .validator, challengeNonce, requestNonce, publicKey))
    }
}
