import AppAttest
import Crypto
import KnownAnswers
import TextForms

/// Attestations that devices made: each verifies, and says what the list says.
enum AttestationAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("attestation_b64", "bundle_id", "expect") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // What the application's identifier and the hash are made of, in the words of those who published it, and what
        // is in the certificates besides, which is not told.
        report.check(
            content,
            besides: [
                "bundle_id", "challenge_b64", "client_data_hash_rule", "team_id", "source.repo", "source.path",
                "source.from_history",
                "source.licence",
                "expect.leaf_extension_oids",
                "expect.acl_blob_hex", "expect.receipt.signer_certificates",
            ], check)
    }

    private static func check(_ row: inout Row) throws {
        var policy = AppAttestPolicy(appIDs: [try row.appID("app_id")])
        guard let environment = AppAttestEnvironment(rawValue: try row.text("environment")) else {
            throw RowError.missing("environment")
        }
        policy.environments = [environment]
        policy.verifyReceipt = false
        let (expected, found) = (row["expect"], try verify(row, policy))
        row.expect("\(row.id) app", found.appID.description, equals: try row.text("app_id"))
        row.expect("public key", Hex.encode(found.publicKey), equals: expected["public_key_x963_hex"].string)
        row.expect("PEM", found.publicKeyPEM, equals: expected["public_key_spki_pem"].string)
        row.expect("counter", Int(found.signCount), equals: expected["sign_count"].int)
        row.expect("system", found.certificate.osVersion, equals: expected["os_version"].string)
        row.expect("build", found.certificate.osBuild, equals: expected["os_build"].string)
        row.expect("platform", found.certificate.platform, equals: expected["platform"].string)
        row.expect("not before", found.certificate.notBefore, equals: expected["leaf_not_before"].date)
        row.expect("not after", found.certificate.notAfter, equals: expected["leaf_not_after"].date)
        row.expect(
            "version", found.extensions.bundleVersion, equals: expected["apple_bundle_version_01"].string)
        row.expect(
            "category", found.extensions.category.map { Int($0.rawValue) },
            equals: expected["apple_validation_category_01"].int)
        try checkParts(&row, found)
        try checkReceipt(&row, policy)
    }

    /// What an attestation is made of.
    private static func checkParts(_ row: inout Row, _ found: VerifiedAttestation) throws {
        let (expected, appID) = (row["expect"], found.appID.description)
        let data = try AttestationObject(row.base64("attestation_b64")).authenticatorData
        row.expect("result", "ok", equals: expected["result"].string)
        row.expect("flags", Hex.encode(data.dropFirst(32).prefix(1)), equals: expected["flags_hex"].string)
        row.expect("bytes of the data", data.count, equals: expected["auth_data_length"].int)
        row.expect(
            "hash of the app", Array(SHA256.hash(data: Array(appID.utf8))), equals: expected["rp_id_hash_hex"].hex)
        row.expect("app of the certificate", appID, equals: expected["certificate_app_id"].string)
        row.expect("bytes of the receipt", found.receipt.count, equals: expected["receipt"]["length"].int)
        let nonce = Array(SHA256.hash(data: data + (try row.bytes("client_data_hash_hex"))))
        row.expect("nonce", nonce, equals: expected["nonce_hex"].hex)
    }

    /// The same with the receipt, which for some is refused for a known reason.
    private static func checkReceipt(_ row: inout Row, _ policy: AppAttestPolicy) throws {
        var policy = policy
        policy.verifyReceipt = true
        do {
            if let receipt = try verify(row, policy).verifiedReceipt {
                row.expect("receipt", "ok", equals: row["expect"]["receipt_check"].string)
                row.expect(receipt, row["expect"]["receipt"])
            }
        } catch let error as AppAttestError {
            row.expect("receipt", error.code.rawValue, equals: row["expect"]["receipt_check"].string)
        }
    }

    private static func verify(_ row: Row, _ policy: AppAttestPolicy) throws -> VerifiedAttestation {
        try AttestationVerifier(policy: policy).verify(
            attestation: try row.base64("attestation_b64"), keyID: try row.text("key_id_b64"),
            clientDataHash: try row.bytes("client_data_hash_hex"), at: try row.time("verify_at"))
    }
}

extension Row {
    /// Compares the fields of a receipt.
    mutating func expect(_ receipt: Receipt, _ expected: JSON) {
        expect("receipt type", receipt.kind.rawValue, equals: expected["type"].string)
        expect("receipt app", receipt.appID, equals: expected["app_id"].string)
        expect("receipt client hash", receipt.clientHash, equals: expected["client_hash_hex"].hex)
        expect("receipt token", receipt.token, equals: expected["token"].string)
        expect("receipt environment", receipt.environment, equals: expected["environment"].string)
        expect("receipt risk", receipt.riskMetric, equals: expected["risk_metric"].int)
        expect("receipt creation", receipt.creation, equals: expected["creation_time"].date)
        expect("receipt not before", receipt.notBefore, equals: expected["not_before"].date)
        expect("receipt expiration", receipt.expiration, equals: expected["expiration_time"].date)
    }
}
