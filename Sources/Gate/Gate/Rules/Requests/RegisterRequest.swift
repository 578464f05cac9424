internal import AppAttest
internal import NIOHTTP1
internal import StrictJSON
internal import TextForms
internal import WebSocketFrames

/// What an app sends to have its key registered.
///
/// Source: `appattest-gate` section 3.1.
struct RegisterRequest: Sendable {
    static let maximumBodyBytes = 65_536
    /// The longest attestation, in bytes as it is decoded.
    static let maximumAttestationBytes = 32_768
    static let maximumDepth = 16

    let keyID: KeyID
    let attestation: [UInt8]
    /// The nonce, 32 bytes.
    let nonce: [UInt8]
    /// The token by which Apple knows the device; the attestation covers it.
    let deviceToken: [UInt8]?

    /// Judges the head alone, before a byte of the body is read.
    static func check(_ head: HTTPRequestHead) throws(Refusal) {
        if case .counted(let length) = head.bodyFraming, length > maximumBodyBytes {
            throw Refusal(.bodyTooLarge).closing()
        }
        guard case .one(let type) = head.headers.single("content-type"),
            HeaderTokens.isEqual(ASCIIText.trimmed(type.prefix { $0 != ";" }), to: "application/json")
        else { throw Refusal(.unsupportedMediaType) }
    }

    init(body: [UInt8]) throws(Refusal) {
        guard body.count <= Self.maximumBodyBytes else { throw Refusal(.bodyTooLarge).closing() }
        let reader = JSONReader(maximumDepth: Self.maximumDepth, maximumBytes: Self.maximumBodyBytes)
        guard let json = try? reader.read(body), case .object = json else { throw Refusal(.malformedJSON) }
        guard let keyMember = json["keyId"] else { throw Refusal(.missingField, field: "keyId") }
        guard let attestationMember = json["attestation"] else { throw Refusal(.missingField, field: "attestation") }
        guard let nonceMember = json["clientData"] ?? json["nonce"] else {
            throw Refusal(.missingField, field: "clientData")
        }
        guard let keyID = keyMember.string.flatMap({ KeyID(base64: $0) }) else {
            throw Refusal(.malformedField, field: "keyId")
        }
        guard let attestation = attestationMember.string.flatMap({ Base64.decode($0) }), !attestation.isEmpty,
            attestation.count <= Self.maximumAttestationBytes
        else { throw Refusal(.malformedField, field: "attestation") }
        guard let nonce = nonceMember.string.flatMap({ Nonce.bytes($0) }),
            json["nonce"] == nil || json["nonce"] == nonceMember
        else { throw Refusal(.malformedField, field: "clientData") }
        var deviceToken: [UInt8]?
        if let member = json["deviceToken"] {
            guard let token = member.string.flatMap({ Base64.decode($0) }),
                1...DeviceCheck.maximumTokenBytes ~= token.count
            else { throw Refusal(.malformedField, field: "deviceToken") }
            deviceToken = token
        }
        self.deviceToken = deviceToken
        self.keyID = keyID
        self.attestation = attestation
        self.nonce = nonce
    }
}
