import AppAttest
import Crypto
import KnownAnswers
import TextForms

/// Assertions that devices made.
enum AssertionAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("assertion_b64", "app_id", "client_data_b64") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // Where it was published, and which attestation the key is from.
        report.check(
            content,
            besides: [
                "attestation_id", "source.repo", "source.path", "source.from_history",
                "source.licence",
            ], check)
    }

    private static func check(_ row: inout Row) throws {
        let appID = try row.appID("app_id")
        let verifier = try AssertionVerifier(policy: AppAttestPolicy(appIDs: [appID]))
        guard let stored = row["stored_sign_count"].int else { throw RowError.missing("stored_sign_count") }
        let (assertion, key) = (try row.base64("assertion_b64"), try row.bytes("public_key_x963_hex"))
        let found = try verifier.verify(
            assertion: assertion, clientDataHash: try row.bytes("client_data_hash_hex"), publicKey: key, appID: appID,
            storedSignCount: UInt32(stored))
        let expected = row["expect"]
        row.expect("\(row.id) counter", Int(found.signCount), equals: expected["sign_count"].int)
        row.expect("version", found.extensions.bundleVersion, equals: expected["apple_bundle_version_01"].string)
        row.expect(
            "category", found.extensions.category.map { Int($0.rawValue) },
            equals: expected["apple_validation_category_01"].int)
        let data = try AssertionVerifier.parts(of: assertion).authenticatorData
        row.expect("result", "ok", equals: expected["result"].string)
        row.expect("flags", Hex.encode(data.dropFirst(32).prefix(1)), equals: expected["flags_hex"].string)
        row.expect("bytes of the data", data.count, equals: expected["authenticator_data_length"].int)
        let nonce = Array(SHA256.hash(data: data + (try row.bytes("client_data_hash_hex"))))
        row.expect("nonce", nonce, equals: expected["nonce_hex"].hex)
        if !row["client_data_b64"].isNull {
            let again = try verifier.verify(
                assertion: assertion, challenge: try row.base64("client_data_b64"), publicKey: key,
                storedSignCount: UInt32(stored))
            row.expect("of the data", again, equals: found)
        }
    }
}
