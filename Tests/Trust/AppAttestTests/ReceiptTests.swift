import AppAttestTestKit
import Foundation
import TestSupport
import Testing

@testable import AppAttest

@Suite("Receipts")
struct ReceiptTests {
    private let now = AppAttestFixture.now
    private let key = TestKey.makeP256()

    /// A receipt of Apple's server for `key`.
    private func recipe() throws -> ReceiptRecipe {
        var attestation = AppAttestFixture.recipe()
        attestation.credentialKey = key
        return ReceiptRecipe(
            kind: .receipt, appID: AppAttestFixture.appID.description,
            attestedCertificate: try attestation.mint(by: AppAttestFixture.authority.get()).certificate,
            clientHash: [0xef, 0xbf, 0xbd], environment: .production, creation: now, riskMetric: 3)
    }

    private func verify(_ bytes: [UInt8], at time: Date? = nil, kind: Receipt.Kind = .receipt) throws -> Receipt {
        try ReceiptVerifier(anchors: AppAttestFixture.authority.get().anchors).verify(
            receipt: bytes, publicKey: key.point, appID: AppAttestFixture.appID,
            expectedClientHash: AppAttestFixture.clientDataHash, environment: .production, at: time ?? now, kind: kind)
    }

    private func outcome(_ recipe: ReceiptRecipe, at time: Date? = nil, kind: Receipt.Kind = .receipt) throws
        -> String
    {
        do {
            _ = try verify(recipe.mint(by: AppAttestFixture.authority.get()), at: time, kind: kind)
            return "ok"
        } catch let error as AppAttestError {
            return "\(error.code.rawValue) \(error.step)"
        }
    }

    @Test(
        "a refreshed receipt tells the risk, and the times of the next", arguments: [ReceiptRecipe.Encoding.ber, .der])
    func refreshed(encoding: ReceiptRecipe.Encoding) throws {
        var recipe = try recipe()
        recipe.encoding = encoding
        let receipt = try verify(recipe.mint(by: AppAttestFixture.authority.get()))
        #expect(receipt.riskMetric == 3)
        #expect(receipt.creation == now)
        #expect(receipt.notBefore == now.addingTimeInterval(86_400))
        #expect(receipt.expiration == now.addingTimeInterval(90 * 86_400))
        #expect(receipt.environment == "production")
    }

    @Test("a stored receipt has no age, but an end")
    func stored() throws {
        let recipe = try recipe()
        #expect(try outcome(recipe, at: now.addingTimeInterval(89 * 86_400)) == "ok")
        #expect(try outcome(recipe, at: now.addingTimeInterval(90 * 86_400)) == "receipt_expired R9")
        #expect(try outcome(recipe, at: now.addingTimeInterval(-60)) == "ok")
        #expect(try outcome(recipe, at: now.addingTimeInterval(-61)) == "receipt_not_yet_valid R8")
    }

    @Test("a receipt is of the kind that was asked for")
    func kinds() throws {
        #expect(try outcome(recipe(), kind: .attest) == "receipt_malformed R5")
    }

    @Test("fields that must be there are missed", arguments: [2, 3, 6, 12, 17, 19, 21])
    func missing(type: Int) throws {
        var recipe = try recipe()
        recipe[type] = nil
        #expect(try outcome(recipe) == "receipt_malformed R5")
    }

    @Test(
        "fields that say something else are refused",
        arguments: [
            (2, "ABCDE12345.com.other", "receipt_app_id_mismatch R6"), (2, "\u{0}", "receipt_app_id_mismatch R6"),
            (3, "no certificate", "receipt_malformed R10"), (6, "OTHER", "receipt_malformed R5"),
            (7, "sandbox", "receipt_environment_mismatch R12"), (12, "yesterday", "receipt_malformed R5"),
            (17, "many", "receipt_malformed R5"), (17, "", "receipt_malformed R5"), (17, "-1", "receipt_malformed R5"),
            (17, "1234567890", "receipt_malformed R5"), (19, "2026", "receipt_malformed R5"),
            (21, "2026-06-15T12:00:00.000+00:00", "receipt_malformed R5"), (99, "something new", "ok"),
        ])
    func others(type: Int, text: String, expected: String) throws {
        var recipe = try recipe()
        recipe[type] = Array(text.utf8)
        #expect(try outcome(recipe) == expected)
    }

    @Test("a type that comes twice is malformed")
    func twice() throws {
        for type in [5, 99] {
            var recipe = try recipe()
            recipe.fields += [ReceiptRecipe.Field(type, "a"), ReceiptRecipe.Field(type, "a")]
            #expect(try outcome(recipe) == "receipt_malformed R5")
        }
    }

    @Test("who signs must be named, lead to the root, and be made for receipts")
    func signers() throws {
        let authority = try AppAttestFixture.authority.get()
        var unnamed = try recipe()
        unnamed.serialNumber = MintedDER.integer(1)
        #expect(try outcome(unnamed) == "receipt_untrusted R2")
        var otherIssuer = try recipe()
        otherIssuer.issuerName = authority.root.name
        #expect(try outcome(otherIssuer) == "receipt_untrusted R2")
        var stray = try recipe()
        stray.certificates = [
            authority.receiptSigner.certificate, authority.receiptIntermediate.certificate,
            authority.receiptRoot.certificate, authority.root.certificate,
        ]
        #expect(try outcome(stray) == "receipt_untrusted R3")
        var withoutRoot = try recipe()
        withoutRoot.certificates = [authority.receiptSigner.certificate, authority.receiptIntermediate.certificate]
        #expect(try outcome(withoutRoot) == "ok")
        var otherService = try recipe()
        otherService.signer = try authority.receiptIntermediate.issue(
            "Another Service", key: .makeP256(), constraints: .notAuthority, at: now
        ) { $0[AppleExtension.receiptSigner] = nil }
        #expect(try outcome(otherService) == "receipt_untrusted R3")
        var authorityItself = try recipe()
        authorityItself.signer = try authority.receiptIntermediate.issue(
            "An Authority", key: .makeP256(), constraints: .authority(pathLength: nil), at: now
        ) { $0[AppleExtension.receiptSigner] = MintedDER.null }
        #expect(try outcome(authorityItself) == "receipt_untrusted R3")
    }

    @Test("attributes of the signer are refused: the signature would cover them, and not the content")
    func attributes() throws {
        var recipe = try recipe()
        recipe.signedAttributes = MintedDER.tagged(0, [])
        #expect(try outcome(recipe) == "receipt_malformed R1")
    }

    @Test("content that was changed after signing is refused")
    func changedContent() throws {
        var recipe = try recipe()
        recipe.editSignedContent = { $0[$0.count - 1] ^= 1 }
        #expect(try outcome(recipe) == "receipt_signature_invalid R4")
    }

    @Test("BER that is deep, long or endless is malformed, and costs nothing")
    func bombs() throws {
        let bombs: [[UInt8]] = [
            [], [0x30, 0x80], Array(repeating: [0x30, 0x80], count: 8_000).flatMap(\.self),
            [0x30, 0x84, 0x7f, 0xff, 0xff, 0xff], [0x30, 0x85, 0, 0, 0, 0, 0], Array(repeating: 0x24, count: 16_000),
            Array(repeating: 0, count: 20_000),
        ]
        for bomb in bombs {
            do {
                _ = try verify(bomb)
                Issue.record("it was accepted")
            } catch let error as AppAttestError { #expect((error.code, error.step) == (.receiptMalformed, "R1")) }
        }
    }

    @Test("every changed bit of a receipt is refused", arguments: [ReceiptRecipe.Encoding.ber, .der])
    func changed(encoding: ReceiptRecipe.Encoding) async throws {
        var recipe = try recipe()
        recipe.encoding = encoding
        let bytes = try recipe.mint(by: AppAttestFixture.authority.get())
        let verifier = try ReceiptVerifier(anchors: AppAttestFixture.authority.get().anchors)
        func isAccepted(_ bytes: [UInt8]) -> Bool {
            let found = try? verifier.verify(
                receipt: bytes, publicKey: key.point, appID: AppAttestFixture.appID, environment: .production, at: now,
                kind: .receipt)
            return found != nil
        }
        #expect(isAccepted(bytes))
        var random = SplitMix64(state: 10)
        for index in bytes.indices {
            await Task.yield()
            #expect(!isAccepted(bytes.flipping(bit: index * 8 + Int(random.next() % 8))), "byte \(index)")
        }
    }
}
