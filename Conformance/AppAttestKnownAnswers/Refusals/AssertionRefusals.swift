import AppAttest
import KnownAnswers

/// Assertions under policies, as ``AttestationRefusals``.
enum AssertionRefusals: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("assertion_b64", "policy", "step") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, check)
    }

    private static func check(_ row: inout Row) throws {
        let verifier = try AssertionVerifier(policy: try row.policy())
        guard let stored = row["stored_sign_count"].int.flatMap({ UInt32(exactly: $0) }) else {
            throw RowError.missing("stored_sign_count")
        }
        let (assertion, key) = (try row.base64("assertion_b64"), try row.bytes("public_key_x963_hex"))
        let hash = try row.bytes("client_data_hash_hex")
        try row.expectOutcome { () throws(AppAttestError) in
            _ = try verifier.verify(
                assertion: assertion, clientDataHash: hash, publicKey: key, storedSignCount: stored)
        }
    }
}
