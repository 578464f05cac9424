import CodeMeasurement
import HardwareKeys

/// The app's answer to a verdict, where the validator wants one: whether it trusts the validator.
///
/// Source: `vigil` section 7.3, type 0x04.
public struct Confirmation: Hashable, Sendable {
    static let length = 140

    public var challengeNonce: Bytes32
    public var requestNonce: Bytes32
    public var accepts: Bool
    public var reason: Reason
    public private(set) var signature: [UInt8]

    public init(of response: Response, reason: Reason) {
        challengeNonce = response.challengeNonce
        requestNonce = response.requestNonce
        accepts = reason == .ok
        self.reason = reason
        signature = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .confirmation, from: [.app], length: Self.length)
        challengeNonce = try fields.bytes32()
        requestNonce = try fields.bytes32()
        accepts = try fields.flag("the acceptance")
        reason = try fields.value("reason")
        try fields.zeros(2)
        signature = try fields.bytes(Signed.signatureCount)
        try fields.end()
        guard accepts == (reason == .ok) else {
            throw Refusal(.malformed, "acceptance and reason contradict each other")
        }
    }

    package var unsigned: [UInt8] {
        MessageHeader(.confirmation, from: .app).bytes + challengeNonce.bytes + requestNonce.bytes
            + [accepts ? 1 : 0, reason.rawValue, 0, 0]
    }

    public var bytes: [UInt8] { unsigned + signature }

    public func signed(
        by key: any SigningKey, answering response: [UInt8], request: [UInt8], challenge: [UInt8]
    ) throws(HardwareKeyError) -> Confirmation {
        var signed = self
        signed.signature = try key.sign(
            Signed.confirmation(unsigned, response: response, request: request, challenge: challenge))
        return signed
    }
}

extension Confirmation {
    package func isSigned(by key: PublicKey, response: [UInt8], request: [UInt8], challenge: [UInt8]) -> Bool {
        key.verifies(
            signature, of: Signed.confirmation(unsigned, response: response, request: request, challenge: challenge))
    }
}
