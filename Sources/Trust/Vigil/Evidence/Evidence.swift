import BasicFoundation
import CodeMeasurement
import HardwareKeys
import StrictJSON
import TextForms

/// What a validator says of an app to a remote verifier that gave a nonce.
///
/// The roles are those of RFC 9334: app and validator are the attester, the program that reads this with an
/// ``EvidenceVerifier`` is the verifier.
///
/// Source: `vigil` section 9.4.
public struct Evidence: Hashable, Sendable {
    /// The type of its envelope's payload.
    public static let payloadType = "application/vnd.vigil.evidence.v2+json"
    static let version = 2
    /// Bytes of the payload, which travels in one frame with its signature.
    static let sizeLimit = 60 * 1024

    /// The product that app and validator belong to.
    public var product: String
    /// The epoch of the manifest.
    public var epoch: UInt32
    /// The digest of the name of the verifier that the evidence is for.
    public var audience: Bytes32
    /// The nonce that the verifier gave.
    public var verifierNonce: Bytes32
    /// The moment at which the validator wrote it.
    public var issuedAt: Date
    /// The ID of the app's key.
    public var appKeyID: Bytes32
    /// The ID of the validator's key.
    public var validatorKeyID: Bytes32
    /// Digest of the app's code, as the handshake compared it.
    public var appText2: Bytes32
    /// Digest of the validator's code, as the handshake compared it.
    public var validatorText2: Bytes32
    /// How the app was measured.
    public var measured: Levels
    /// Digest of the handshake of the session in which it was asked for.
    public var transcript: Bytes32
    /// Where the app's key lives.
    public var appKeyKind: KeyKind
    /// Where the validator's key lives.
    public var validatorKeyKind: KeyKind

    /// What a validator says, yet to be signed.
    public init(
        product: String, epoch: UInt32, audience: Bytes32, verifierNonce: Bytes32, issuedAt: Date,
        appKeyID: Bytes32, validatorKeyID: Bytes32, appText2: Bytes32, validatorText2: Bytes32, measured: Levels,
        transcript: Bytes32, appKeyKind: KeyKind, validatorKeyKind: KeyKind
    ) {
        self.product = product
        self.epoch = epoch
        self.audience = audience
        self.verifierNonce = verifierNonce
        self.issuedAt = issuedAt
        self.appKeyID = appKeyID
        self.validatorKeyID = validatorKeyID
        self.appText2 = appText2
        self.validatorText2 = validatorText2
        self.measured = measured.intersection(.ofMessages)
        self.transcript = transcript
        self.appKeyKind = appKeyKind
        self.validatorKeyKind = validatorKeyKind
    }

    /// The digest by which an audience is named.
    public static func audience(_ name: String) -> Bytes32 { .hash(of: Array(name.utf8)) }
}

extension Evidence {
    /// - Throws: ``EvidenceRefusal/malformed(_:)``
    package init(payload: [UInt8]) throws(EvidenceRefusal) {
        do {
            try self.init(JSONFields(reading: payload, limit: Self.sizeLimit))
        } catch {
            throw .malformed("\(error)")
        }
    }

    private init(_ fields: JSONFields) throws(JSONFieldError) {
        let version: Int64 = try fields.integer("version")
        guard version == Self.version else {
            throw fields.error(in: "version", "\(Self.version) expected, not \(version)")
        }
        guard let issuedAt = Timestamp(rfc3339: try fields.string("issuedAt")) else {
            throw fields.error(in: "issuedAt", "a time of RFC 3339 expected")
        }
        let kinds = try fields.object("keyKinds")
        self.init(
            product: try fields.string("product"), epoch: try fields.integer("epoch"),
            audience: try fields.digest("audience"), verifierNonce: try fields.digest("verifierNonce"),
            issuedAt: issuedAt.date, appKeyID: try fields.digest("appKeyId"),
            validatorKeyID: try fields.digest("validatorKeyId"), appText2: try fields.digest("appText2"),
            validatorText2: try fields.digest("validatorText2"),
            measured: Levels(rawValue: try fields.integer("measured")), transcript: try fields.digest("transcriptHash"),
            appKeyKind: try kinds.value("app"), validatorKeyKind: try kinds.value("validator"))
    }

    package var payload: [UInt8] {
        let members: JSON = [
            "version": .integer(Self.version), "product": .string(product), "epoch": .integer(epoch),
            "audience": .string("\(audience)"), "verifierNonce": .string("\(verifierNonce)"),
            "issuedAt": .string(Timestamp(issuedAt).rfc3339), "appKeyId": .string("\(appKeyID)"),
            "validatorKeyId": .string("\(validatorKeyID)"), "appText2": .string("\(appText2)"),
            "validatorText2": .string("\(validatorText2)"), "measured": .integer(measured.rawValue),
            "transcriptHash": .string("\(transcript)"),
            "keyKinds": ["app": .string(appKeyKind.rawValue), "validator": .string(validatorKeyKind.rawValue)],
        ]
        return members.canonicalText
    }

    /// The validator's part: writes and signs.
    public func signed(by validator: any SigningKey) throws(HardwareKeyError) -> EvidenceResponse {
        let payload = payload
        return EvidenceResponse(
            payload: payload,
            signature: try validator.signDER(Envelope.signedBytes(type: Self.payloadType, payload: payload)))
    }
}
