import CodeMeasurement
import KnownAnswers
import Vigil

/// A request of version 1, and the answers to it in both conventions of the nonce.
enum VersionOneAnswers {
    static func check(_ row: inout Row) throws {
        try checkRequest(&row)
        for (name, isValid, isEcho) in [
            ("response_echo_1", true, true), ("response_echo_0", false, true), ("response_independent_1", true, false),
            ("response_independent_0", false, false),
        ] {
            try checkResponse(&row, name, isValid: isValid, isEcho: isEcho)
        }
        let variant = try PublicKey(spkiOrX963: Row(row["x963Variant"]).base64("publicKey"))
        row.expect("key in X9.63", variant?.x963, equals: try KnownKey(row, "appPrivateKey").publicKey)
    }

    private static func checkRequest(_ row: inout Row) throws {
        guard case .validate(let request) = try VersionOne.Request(parsing: text(of: row["requestJSON"])) else {
            throw RowError.missing("requestJSON")
        }
        row.expect("hash", request.hash, equals: try row.digest("appHash"))
        row.expect("nonce", request.nonce, equals: try row.digest("nonce1"))
        row.expect("signed bytes", request.signedBytes, equals: try row.bytes("requestSignedBytes"))
        row.expect("signature", request.signature, equals: try row.bytes("requestSignatureDER"))
        let app = try KnownKey(row, "appPrivateKey")
        guard let key = PublicKey(x963: app.publicKey) else { throw RowError.missing("appPrivateKey") }
        try request.check(pin: .active(key, .software), expectedHash: row.digest("appHash"))
        // Our own signature is another one, of the same bytes.
        let own = try VersionOne.Validation(hash: request.hash, nonce: request.nonce, by: app)
        try own.check(pin: .active(key, .software), expectedHash: row.digest("appHash"))
        var members = row["requestJSON"].object
        members["timestamp"] = nil
        row.expect("JSON", try tree(VersionOne.Request.validate(request).json), equals: .object(members))
    }

    private static func checkResponse(_ row: inout Row, _ name: String, isValid: Bool, isEcho: Bool) throws {
        let known = row[name]
        guard case .verdict(let verdict) = try VersionOne.Response(parsing: text(of: known["json"])),
            let key = PublicKey(x963: try KnownKey(row, "validatorPrivateKey").publicKey)
        else { throw RowError.missing(name) }
        row.expect("\(name) signed bytes", verdict.signedBytes, equals: known["signedBytes"].hex ?? [])
        row.expect("\(name) signature", verdict.signature, equals: known["signatureDER"].hex ?? [])
        row.expect("\(name) JSON", try tree(VersionOne.Response.verdict(verdict).json), equals: known["json"])
        for policy in [VersionOne.NoncePolicy.requireEcho, .allowIndependent] {
            var seen = VersionOne.SeenNonces()
            var outcome = "\(isValid)"
            do {
                guard let nonce = try? row.digest("nonce1"), let hash = try? row.digest("validatorHash") else { return }
                outcome =
                    "\(try verdict.check(answering: nonce, pin: .active(key, .software), expectedHash: hash, policy: policy, seen: &seen))"
            } catch {
                outcome = "\(error.reason)"
            }
            let expected = isEcho || policy == .allowIndependent ? "\(isValid)" : "nonceMismatch"
            row.expect("\(name) with \(policy)", outcome, equals: expected)
        }
    }

    private static func tree(_ text: [UInt8]) throws -> JSON { try JSON(parsing: text) }
}

/// The text of a tree that the known answers hold within their own.
func text(of json: JSON) -> [UInt8] { Array(json.text.utf8) }
