import BasicFoundation
import CodeMeasurement
import StrictJSON

extension VersionOne.Request {
    /// Reads a request. A timestamp is not looked at: it is not signed.
    ///
    /// - Throws: ``Refusal``: `malformed`.
    package init(parsing message: [UInt8]) throws(Refusal) {
        self = try VersionOne.read(message) { (fields) throws(JSONFieldError) in
            switch try fields.string("action") {
            case "validate":
                .validate(
                    VersionOne.Validation(
                        hash: try fields.base64Digest("hash"), nonce: try fields.base64Digest("nonce"),
                        publicKey: try fields.publicKey(), signature: try fields.signature()))
            case "exchangeKey": .exchangeKey(try fields.publicKey())
            case "ping": .ping
            default: throw fields.error(in: "action", "\"validate\", \"exchangeKey\" or \"ping\" expected")
            }
        }
    }

    package var json: [UInt8] {
        let members: JSON =
            switch self {
            case .validate(let request):
                [
                    "action": "validate", "hash": .base64(request.hash.bytes), "nonce": .base64(request.nonce.bytes),
                    "publicKey": .base64(request.publicKey.spki), "signature": .base64(request.signature),
                ]
            case .exchangeKey(let key): ["action": "exchangeKey", "publicKey": .base64(key.spki)]
            case .ping: ["action": "ping"]
            }
        return members.canonicalText
    }
}

extension VersionOne.Response {
    /// Reads an answer.
    ///
    /// - Throws: ``Refusal``: `malformed`.
    package init(parsing message: [UInt8]) throws(Refusal) {
        self = try VersionOne.read(message) { (fields) throws(JSONFieldError) in
            if fields.has("valid") { return try Self(verdict: fields) }
            if fields.has("alive") {
                guard try fields.bool("alive") else { throw fields.error(in: "alive", "true expected") }
                return .alive
            }
            return .key(try fields.publicKey())
        }
    }

    private init(verdict fields: JSONFields) throws(JSONFieldError) {
        let isValid = try fields.bool("valid")
        let rest = ["validatorHash", "filterHash", "signature", "publicKey", "nonce"]
        if !isValid, !rest.contains(where: fields.has) {
            self = .refused
            return
        }
        self = .verdict(
            VersionOne.Verdict(
                isValid: isValid, validatorHash: try fields.validatorHash(), nonce: try fields.base64Digest("nonce"),
                publicKey: try fields.publicKey(), signature: try fields.signature()))
    }

    package var json: [UInt8] {
        let members: JSON =
            switch self {
            case .verdict(let verdict):
                [
                    "valid": .bool(verdict.isValid), "validatorHash": .base64(verdict.validatorHash.bytes),
                    "nonce": .base64(verdict.nonce.bytes), "publicKey": .base64(verdict.publicKey.spki),
                    "signature": .base64(verdict.signature),
                ]
            case .refused: ["valid": .bool(false)]
            case .key(let key): ["publicKey": .base64(key.spki)]
            case .alive: ["alive": .bool(true)]
            }
        return members.canonicalText
    }
}

extension VersionOne {
    fileprivate static func read<R>(
        _ message: [UInt8], _ body: (JSONFields) throws(JSONFieldError) -> R
    ) throws(Refusal) -> R {
        let fields: JSONFields
        do {
            fields = try JSONFields(reader.read(message))
        } catch {
            throw Refusal(.malformed, "the message is not what JSON it has to be: \(error)")
        }
        do throws(JSONFieldError) { return try body(fields) } catch { throw Refusal(.malformed, "\(error)") }
    }
}

extension JSONFields {
    /// 32 bytes, so that the boundary between two fields that are signed one behind the other cannot be moved.
    fileprivate func base64Digest(_ name: String) throws(JSONFieldError) -> Bytes32 {
        guard let digest = Bytes32(try base64(name)) else { throw error(in: name, "32 bytes in base64 expected") }
        return digest
    }

    /// The validator's digest, under its name or that of the design's filter; under both it has to be the same.
    fileprivate func validatorHash() throws(JSONFieldError) -> Bytes32 {
        guard has("filterHash") else { return try base64Digest("validatorHash") }
        let hash = try base64Digest("filterHash")
        if has("validatorHash"), try base64Digest("validatorHash") != hash {
            throw error(in: "filterHash", "another one than validatorHash")
        }
        return hash
    }

    fileprivate func publicKey() throws(JSONFieldError) -> PublicKey {
        guard let key = PublicKey(spkiOrX963: try base64("publicKey")) else {
            throw error(in: "publicKey", "a P-256 key in DER or X9.63 expected")
        }
        return key
    }

    fileprivate func signature() throws(JSONFieldError) -> [UInt8] {
        let signature = try base64("signature")
        guard signature.count <= VersionOne.signatureLimit else {
            throw error(in: "signature", "\(signature.count) bytes are more than a signature has")
        }
        return signature
    }
}

extension JSON {
    fileprivate static func base64(_ bytes: [UInt8]) -> JSON { .string(Data(bytes).base64EncodedString()) }
}
