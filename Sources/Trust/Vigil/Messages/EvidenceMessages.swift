import BigEndian
import CodeMeasurement

/// The app's request for evidence that it can show to a remote verifier. Only within a session.
///
/// Source: `vigil` section 9.4, type 0x20.
public struct EvidenceRequest: WireMessage {
    package static let type = MessageType.evidenceRequest
    package static let senders: Set<Role> = [.app]
    package static let length: Int? = 104
    package static let proofLength = SessionSecrets.codeLength

    /// The nonce of the verifier that the evidence is for.
    public var verifierNonce: Bytes32
    /// The digest of the name of the verifier that the evidence is for.
    public var audience: Bytes32
    package private(set) var code: [UInt8]

    package init(verifierNonce: Bytes32, audience: Bytes32) {
        self.verifierNonce = verifierNonce
        self.audience = audience
        code = []
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        verifierNonce = try fields.bytes32()
        audience = try fields.bytes32()
        code = try fields.bytes(SessionSecrets.codeLength)
    }

    package var unsigned: [UInt8] {
        MessageHeader(.evidenceRequest, from: .app).bytes + verifierNonce.bytes + audience.bytes
    }

    package var bytes: [UInt8] { unsigned + code }

    package func authenticated(by secrets: SessionSecrets) -> Sent<EvidenceRequest> {
        var authenticated = self
        authenticated.code = secrets.code(of: unsigned, .evidenceRequest)
        return Sent(made: authenticated)
    }
}

/// What the validator says about the app, signed for a remote verifier.
///
/// Source: `vigil` section 9.4, type 0x21.
public struct EvidenceResponse: WireMessage {
    package static let type = MessageType.evidenceResponse
    package static let senders: Set<Role> = [.validator]
    /// The members of the evidence in JSON, as the validator wrote and signed them.
    package var payload: [UInt8]
    /// The signature in DER.
    package var signature: [UInt8]

    package init(payload: [UInt8], signature: [UInt8]) {
        self.payload = payload
        self.signature = signature
    }

    package init(reading fields: inout FieldReader) throws(Refusal) {
        payload = try fields.bytes(Int(try fields.integer(UInt32.self)))
        signature = try fields.bytes(Int(try fields.integer(UInt16.self)))
    }

    package var bytes: [UInt8] {
        var message = MessageHeader(.evidenceResponse, from: .validator).bytes
        message.append(bigEndian: UInt32(payload.count))
        message += payload
        message.append(bigEndian: UInt16(signature.count))
        return message + signature
    }
}
