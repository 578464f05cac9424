import BasicFoundation
import HardwareKeys
import StrictJSON
import TextForms

/// Bytes with their type and the signatures over both: DSSE.
///
/// Nothing is to be made of the payload before its signatures are verified, so that others come to it by
/// ``payload(ofType:by:)`` alone.
///
///     let envelope = try Envelope(type: type, payload: bytes).signed(by: key)
///     try Data(envelope.json).write(to: file)
///     let bytes = try Envelope(parsing: file).payload(ofType: type, by: trusted)
///
/// Source: `vigil` section 6.1; Dead Simple Signing Envelope 1.0.
package struct Envelope: Hashable, Sendable {
    /// Bytes of the largest envelope that is read.
    package static let sizeLimit = 4 * 1024 * 1024
    private static let signatureLimit = 64

    package let type: String
    /// The payload before its signatures are verified: good for choosing the keys to verify it with, and for nothing
    /// else.
    let unverified: [UInt8]
    package private(set) var signatures: [Signature]

    package struct Signature: Hashable, Sendable {
        /// The key's id in hex. It proves nothing, and nothing depends on it.
        package let keyID: String
        /// The signature in DER.
        package let bytes: [UInt8]
    }

    package init(type: String, payload: [UInt8], signatures: [Signature] = []) {
        self.type = type
        unverified = payload
        self.signatures = signatures
    }
}

extension Envelope {
    /// Reads the JSON form.
    ///
    /// - Throws: ``EnvelopeError/malformedEnvelope(_:)``
    package init(parsing json: [UInt8]) throws(EnvelopeError) {
        let value: JSON
        do throws(JSONError) { value = try JSONReader.ofVigil(limit: Self.sizeLimit).read(json) } catch {
            throw .malformedEnvelope("\(error)")
        }
        try self.init(value)
    }

    /// - Throws: ``EnvelopeError/malformedEnvelope(_:)``
    package init(_ json: JSON) throws(EnvelopeError) {
        do throws(JSONFieldError) {
            let fields = try JSONFields(json)
            type = try fields.string("payloadType")
            unverified = try fields.base64("payload")
            signatures = []
            for fields in try fields.objects("signatures", limit: Self.signatureLimit) {
                let keyID = try fields.ifPresent("keyid", fields.string) ?? ""
                signatures.append(Signature(keyID: keyID, bytes: try fields.base64("sig")))
            }
        } catch {
            throw .malformedEnvelope("\(error)")
        }
    }

    /// The JSON form, always the same for the same envelope.
    package var json: [UInt8] { JSON.object(members).readableText }

    var members: [String: JSON] {
        let signatures = signatures.map { signature -> JSON in
            ["keyid": .string(signature.keyID), "sig": .string(Data(signature.bytes).base64EncodedString())]
        }
        return [
            "payloadType": .string(type), "payload": .string(Data(unverified).base64EncodedString()),
            "signatures": .array(signatures),
        ]
    }

    /// What is signed.
    package var signedBytes: [UInt8] { Self.signedBytes(type: type, payload: unverified) }

    static func signedBytes(type: String, payload: [UInt8]) -> [UInt8] {
        Array("DSSEv1 \(type.utf8.count) \(type) \(payload.count) ".utf8) + payload
    }

    /// Adds a signature to those that are there.
    package func signed(by key: any SigningKey) throws(HardwareKeyError) -> Envelope {
        guard let publicKey = PublicKey(x963: key.publicKey) else {
            throw .invalidArgument("the key's public half is no P-256 point")
        }
        var signed = self
        signed.signatures.append(
            Signature(keyID: "\(publicKey.id)", bytes: try key.signDER(signedBytes)))
        return signed
    }

    /// The trusted keys of which there is a valid signature.
    package func signers(among keys: Set<PublicKey>) -> Set<PublicKey> {
        keys.filter(isSigned)
    }

    /// Whether one of the signatures is this key's.
    func isSigned(by key: PublicKey) -> Bool {
        let message = signedBytes
        return signatures.contains { key.verifies(der: $0.bytes, of: message) }
    }

    /// The payload, now that it is known whose it is.
    ///
    /// - Throws: ``EnvelopeError``: `wrongPayloadType`, `thresholdNotMet`.
    package func payload(ofType expected: String, by trusted: TrustedKeys) throws(EnvelopeError) -> [UInt8] {
        guard type == expected else { throw .wrongPayloadType(found: type, expected: expected) }
        let signers = signers(among: trusted.keys)
        guard signers.count >= trusted.threshold else {
            throw .thresholdNotMet(found: signers.count, needed: trusted.threshold)
        }
        return unverified
    }
}

/// Keys, and how many of them have to have signed.
package struct TrustedKeys: Hashable, Sendable {
    package let keys: Set<PublicKey>
    package let threshold: Int

    /// - Parameter threshold: from 1 to the number of different keys, else nil.
    package init?(_ keys: some Sequence<PublicKey>, threshold: Int = 1) {
        self.keys = Set(keys)
        self.threshold = threshold
        guard (1...max(1, self.keys.count)).contains(threshold), !self.keys.isEmpty else { return nil }
    }

    init(_ key: PublicKey) {
        keys = [key]
        threshold = 1
    }
}

/// Why an envelope is not accepted.
package enum EnvelopeError: Error, Hashable, Sendable {
    case malformedEnvelope(String)
    case wrongPayloadType(found: String, expected: String)
    case thresholdNotMet(found: Int, needed: Int)

    /// The name of the specification.
    package var identifier: String {
        switch self {
        case .malformedEnvelope: "malformedEnvelope"
        case .wrongPayloadType: "wrongPayloadType"
        case .thresholdNotMet: "thresholdNotMet"
        }
    }
}

extension EnvelopeError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformedEnvelope(let reason): "The envelope is malformed: \(reason)."
        case .wrongPayloadType(let found, let expected):
            "The envelope holds \"\(found.prefix(100))\", and \"\(expected)\" is needed."
        case .thresholdNotMet(let found, let needed):
            "\(found) of the trusted keys have signed, and \(needed) are needed. Sign it with the release keys."
        }
    }
}
