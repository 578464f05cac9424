import AppAttest
import KnownAnswers

/// Attestations that lost bytes on their way into a document: any of several codes will do.
enum DamagedAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("attestation_b64", "expect_one_of") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content, check)
    }

    private static func check(_ row: inout Row) throws {
        guard let appID = AppID("ABCDE12345.com.example.app"), let keyID = KeyID(bytes: Array(repeating: 0, count: 32))
        else { throw RowError.missing("identifiers") }
        let verifier = try AttestationVerifier(policy: AppAttestPolicy(appIDs: [appID]))
        let attestation = try row.base64("attestation_b64")
        let (code, _) = row.outcome { () throws(AppAttestError) in
            _ = try verifier.verify(
                attestation: attestation, keyID: keyID, clientDataHash: [0], at: .init(milliseconds: 0))
        }
        row.expect("\(row.id): \(code)", row["expect_one_of"].strings.contains(code), equals: true)
    }
}
