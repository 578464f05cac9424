import AppAttest
import KnownAnswers

/// Attestations under policies: each is refused at its step with its code. A few verify, to show what must not be
/// refused.
enum AttestationRefusals: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("attestation_b64", "policy", "step") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, besides: ["base"], check)
    }

    private static func check(_ row: inout Row) throws {
        let verifier = try AttestationVerifier(policy: try row.policy(), anchors: try row.anchors())
        let (attestation, keyID) = (try row.base64("attestation_b64"), try row.text("key_id_b64"))
        let (hash, now) = (try row.bytes("client_data_hash_hex"), try row.time("verify_at"))
        // Twice, because a verifier remembers the certificates of issuers: that may change no verdict.
        for _ in 0..<2 {
            try row.expectOutcome { () throws(AppAttestError) in
                _ = try verifier.verify(attestation: attestation, keyID: keyID, clientDataHash: hash, at: now)
            }
        }
    }
}
