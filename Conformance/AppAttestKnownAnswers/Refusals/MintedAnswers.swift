import AppAttest
import Crypto
import KnownAnswers

/// What the test authority beside the list is made of: how a nonce is hashed, how a key gets its name, and that its
/// roots can stand in for Apple's.
enum MintedAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("mint_time", "nonce_hex", "root") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // When the certificates begin to count, and one that a verifier is given with an attestation.
        report.check(content, besides: ["mint_time", "intermediate"]) { row in
            let point = try row.bytes("credential_public_key_x963_hex")
            let name = KeyID(bytes: Array(SHA256.hash(data: point)))
            row.expect("name of the key", name?.base64, equals: try row.text("key_id_b64"))
            row.expect(
                "client data hash", Array(SHA256.hash(data: try row.bytes("nonce_hex"))),
                equals: try row.bytes("client_data_hash_hex"))
            let policy = AppAttestPolicy(appIDs: [try row.appID("app_id")])
            for (key, other) in [("root", "receipt_root"), ("receipt_root", "root")] {
                let pem = try [key, other].map { String(decoding: try row.file($0), as: UTF8.self) }
                _ = try AttestationVerifier(policy: policy, anchors: TrustAnchors(pem: pem.joined(separator: "\n")))
            }
        }
    }
}
