import AppAttestTestKit
import Foundation
import TestSupport
import TextForms

@testable import AppAttest

/// The test authority beside these tests (Fixtures/README.md says where it comes from), and what it minted.
enum AppAttestFixture {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")

    static let facts = json("minted/README.json")
    static let appID = AppID(facts["app_id"].string ?? "")!
    static let now = UnixTime(rfc3339: Array((facts["mint_time"].string ?? "").utf8))!
    static let clientDataHash = facts["client_data_hash_hex"].hex!
    static let authority = Result {
        try TestAuthority { try String(contentsOf: folder.appending(path: "minted/\($0)"), encoding: .utf8) }
    }

    static var policy: AppAttestPolicy { AppAttestPolicy(appIDs: [appID]) }

    static func json(_ path: String) -> JSON { (try? JSON(contentsOf: folder.appending(path: path))) ?? .null }

    /// An attestation, and how to verify it.
    static func attestation(_ id: String) throws -> (bytes: [UInt8], keyID: KeyID, at: UnixTime) {
        let row = json("negative/attestations-minted.json").array.first { $0["id"].string == id } ?? .null
        guard let bytes = Base64.decode(row["attestation_b64"].string ?? ""),
            let keyID = KeyID(base64: row["key_id_b64"].string ?? ""),
            let time = UnixTime(rfc3339: Array((row["verify_at"].string ?? "").utf8))
        else { throw Missing(id: id) }
        return (bytes, keyID, time)
    }

    static func recipe() -> AttestationRecipe {
        AttestationRecipe(appID: appID, clientDataHash: clientDataHash, at: now)
    }

    static func verifier(_ policy: AppAttestPolicy = policy) throws -> AttestationVerifier {
        try AttestationVerifier(policy: policy, anchors: authority.get().anchors)
    }

    struct Missing: Error {
        let id: String
    }
}

extension AttestationVerifier {
    /// The code with the step at which an attestation is refused, or `ok`.
    func outcome(_ minted: MintedAttestation, at now: UnixTime = AppAttestFixture.now.adding(seconds: 2)) -> String {
        do throws(AppAttestError) {
            _ = try verify(
                attestation: minted.bytes, keyID: minted.keyID, clientDataHash: AppAttestFixture.clientDataHash, at: now
            )
            return "ok"
        } catch {
            return "\(error.code.rawValue) \(error.step)"
        }
    }
}
