import CodeMeasurement

/// The app's request for evidence that it can show to a remote verifier. Only within a session.
///
/// Source: `vigil` section 9.4, type 0x20.
public struct EvidenceRequest: Hashable, Sendable {
    static let length = 104

    public var verifierNonce: Bytes32
    /// The digest of the name of the verifier that the evidence is for.
    public var audience: Bytes32
    public private(set) var code: [UInt8]

    public init(verifierNonce: Bytes32, audience: Bytes32) {
        self.verifierNonce = verifierNonce
        self.audience = audience
        code = []
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .evidenceRequest, from: [.app], length: Self.length)
        verifierNonce = try fields.bytes32()
        audience = try fields.bytes32()
        code = try fields.bytes(SessionSecrets.codeCount)
        try fields.end()
    }

    package var unsigned: [UInt8] {
        MessageHeader(.evidenceRequest, from: .app).bytes + verifierNonce.bytes + audience.bytes
    }

    public var bytes: [UInt8] { unsigned + code }

    public func authenticated(by secrets: SessionSecrets) -> EvidenceRequest {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .evidenceRequest)
        return authenticated
    }
}

/// What the validator says about the app, signed for a remote verifier.
///
/// Source: `vigil` section 9.4, type 0x21.
public struct EvidenceResponse: Hashable, Sendable {
    /// The members of the evidence in JSON, as the validator wrote and signed them.
    public var payload: [UInt8]
    /// The signature in DER.
    public var signature: [UInt8]

    public init(payload: [UInt8], signature: [UInt8]) {
        self.payload = payload
        self.signature = signature
    }

    public init(parsing message: [UInt8]) throws(Refusal) {
        var fields = try FieldReader(message, type: .evidenceResponse, from: [.validator])
        payload = try fields.bytes(Int(try fields.integer(UInt32.self)))
        signature = try fields.bytes(Int(try fields.integer(UInt16.self)))
        try fields.end()
    }

    public var bytes: [UInt8] {
        var message = MessageHeader(.evidenceResponse, from: .validator).bytes
        message.append(bigEndian: UInt32(payload.count))
        message += payload
        message.append(bigEndian: UInt16(signature.count))
        return message + signature
    }
}
