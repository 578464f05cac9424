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
    static let now = facts["mint_time"].date!
    static let clientDataHash = facts["client_data_hash_hex"].hex!
    static let authority = Result {
        try TestAuthority { try String(contentsOf: folder.appending(path: "minted/\($0)"), encoding: .utf8) }
    }

    static var policy: AppAttestPolicy { AppAttestPolicy(appIDs: [appID]) }

    static func json(_ path: String) -> JSON { (try? JSON(contentsOf: folder.appending(path: path))) ?? .null }

    /// An attestation, and how to verify it.
    static func attestation(_ id: String) throws -> (bytes: [UInt8], keyID: KeyID, at: Date) {
        let row = json("negative/attestations-minted.json").array.first { $0["id"].string == id } ?? .null
        guard let bytes = Base64.decode(row["attestation_b64"].string ?? ""),
            let keyID = KeyID(base64: row["key_id_b64"].string ?? ""),
            let time = row["verify_at"].date
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
    func outcome(_ minted: MintedAttestation, at now: Date = AppAttestFixture.now.addingTimeInterval(2)) -> String {
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

extension JSON {
    /// A time as receipts have it.
    var date: Date? { string.flatMap { try? UTCTimestamp(rfc3339: $0, .utc) }.map { Date($0) } }
}
