import AppAttestTestKit
import TextForms

@testable import AppAttest

extension Rebuild {
    /// Step A17, which is R1 to R12.
    static let receipts: [Rebuild] = [
        Rebuild("receipt-garbage") { recipe, _, _ in recipe.receipt = Array("receipt".utf8) },
        Rebuild("receipt-truncated") { recipe, _, authority in
            recipe.receipt = Array(try recipe.mint(by: authority).receipt.dropLast())
        },
        field("receipt-app-id", type: 2, text: "TESTTEAM01.com.example.other"),
        Rebuild("receipt-no-creation-time") { recipe, _, _ in recipe.editReceipt = { $0[12] = nil } },
        Rebuild("receipt-old", seconds: 301),
        field("receipt-expired", type: 21, text: UTCTimestamp(AppAttestFixture.now.addingTimeInterval(1)).rfc3339()),
        Rebuild("receipt-other-key") { recipe, _, authority in
            let other = try AppAttestFixture.recipe().mint(by: authority).certificate
            recipe.editReceipt = { $0[3] = other }
        },
        field("receipt-client-hash", type: 4, text: "another challenge"),
        field("receipt-environment", type: 7, text: "sandbox"),
        Rebuild("receipt-tampered-payload") { recipe, _, _ in
            recipe.editReceipt = { $0.editSignedContent = { $0[$0.count / 2] ^= 1 } }
        },
        Rebuild("receipt-signer-without-marker") { recipe, _, authority in
            let signer = try authority.receiptIntermediate.issue(
                "Another Service", key: .makeP256(), constraints: .notAuthority, at: recipe.mintTime
            ) { $0[AppleExtension.receiptSigner] = nil }
            recipe.editReceipt = { $0.signer = signer }
        },
        Rebuild("receipt-other-root") { recipe, _, _ in
            let other = try TestAuthority(at: recipe.mintTime)
            recipe.editReceipt = {
                $0.signer = other.receiptSigner
                $0.issuerName = other.receiptIntermediate.name
                $0.certificates = [
                    other.receiptSigner.certificate, other.receiptIntermediate.certificate,
                    other.receiptRoot.certificate,
                ]
            }
        },
        Rebuild("receipt-chain-missing-intermediate") { recipe, _, authority in
            recipe.editReceipt = {
                $0.certificates = [authority.receiptSigner.certificate, authority.receiptRoot.certificate]
            }
        },
    ]

    private static func field(_ id: String, type: Int, text: String) -> Rebuild {
        Rebuild(id) { recipe, _, _ in recipe.editReceipt = { $0[type] = Array(text.utf8) } }
    }
}
