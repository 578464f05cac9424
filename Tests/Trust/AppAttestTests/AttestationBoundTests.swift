import AppAttestTestKit
import Testing

@testable import AppAttest

/// What no case of the tables covers: bounds, and certificates that are one but not of use.
@Suite("Bounds of attestations and certificates")
struct AttestationBoundTests {
    private func outcome(
        _ make: (inout AttestationRecipe, TestAuthority) throws -> Void, receipt: Bool = false
    ) throws -> String {
        let authority = try AppAttestFixture.authority.get()
        var recipe = AppAttestFixture.recipe()
        try make(&recipe, authority)
        var policy = AppAttestFixture.policy
        policy.verifyReceipt = receipt
        return try AppAttestFixture.verifier(policy).outcome(recipe.mint(by: authority))
    }

    private func keyInfo(_ algorithm: [UInt8], key: [UInt8]) -> [UInt8] {
        MintedDER.sequence(algorithm, MintedDER.bits(key))
    }

    @Test("keys of other kinds are certificates, but of no use to anyone")
    func otherKeys() throws {
        let curve = MintedDER.sequence(
            MintedDER.objectIdentifier("1.2.840.10045.2.1"), MintedDER.objectIdentifier("1.3.132.0.10"))
        let p256 = MintedDER.sequence(
            MintedDER.objectIdentifier("1.2.840.10045.2.1"), MintedDER.objectIdentifier("1.2.840.10045.3.1.7"))
        let ed25519 = MintedDER.sequence(MintedDER.objectIdentifier("1.3.101.112"))
        let point = TestKey.makeP256().point
        for info in [
            keyInfo(curve, key: point), keyInfo(ed25519, key: Array(repeating: 9, count: 32)),
            // Off the curve, and compressed.
            keyInfo(p256, key: Array(point.dropLast()) + [point[64] ^ 1]), keyInfo(p256, key: [0x02] + point[1..<33]),
        ] {
            #expect(try outcome { recipe, _ in recipe.editLeaf = { $0.publicKeyInfo = info } } == "unsupported_key A5")
        }
        let issuer = try AppAttestFixture.authority.get().root.issue(
            "Unusable", key: .makeP256(), constraints: .authority(pathLength: 0), at: AppAttestFixture.now
        ) { $0.publicKeyInfo = keyInfo(curve, key: point) }
        #expect(try outcome { recipe, _ in recipe.issuer = issuer } == "untrusted_chain A6")
    }

    @Test("extensions that come twice, or are not what they say, make a certificate unparsable")
    func extensions() throws {
        #expect(
            try outcome { recipe, _ in recipe.editLeaf = { $0.extensions.append($0.extensions[5]) } }
                == "certificate_unparsable A4")
        for id in ["2.5.29.19", "2.5.29.15", "2.5.29.37", "2.5.29.14", "2.5.29.35"] {
            #expect(
                try outcome { recipe, _ in recipe.editLeaf = { $0[id] = [0x30, 0x05] } } == "certificate_unparsable A4")
        }
    }

    @Test("an authority without the right to sign certificates, or without any, is not one")
    func authorities() throws {
        let root = try AppAttestFixture.authority.get().root
        for edit: (inout CertificateTemplate) -> Void in [
            { $0["2.5.29.15"] = nil }, { $0["2.5.29.15"] = [0x03, 0x02, 0x07, 0x80] }, { $0["2.5.29.19"] = nil },
        ] {
            let issuer = try root.issue(
                "Almost", key: .makeP384(), constraints: .authority(pathLength: 0), at: AppAttestFixture.now, edit: edit
            )
            #expect(try outcome { recipe, _ in recipe.issuer = issuer } == "untrusted_chain A6")
        }
    }

    @Test("all three hashes are allowed in signatures of certificates", arguments: TestKey.Hash.allCases)
    func hashes(hash: TestKey.Hash) throws {
        #expect(try outcome { recipe, _ in recipe.editLeaf = { $0.signatureHash = hash } } == "ok")
    }

    @Test("a path of four certificates leads to the root, and its last may be the root")
    func longPath() throws {
        let now = AppAttestFixture.now
        #expect(
            try outcome { recipe, authority in
                let upper = try authority.root.issue(
                    "Upper", key: .makeP384(), constraints: .authority(pathLength: 1), at: now)
                let lower = try upper.issue("Lower", key: .makeP384(), constraints: .authority(pathLength: 0), at: now)
                recipe.issuer = lower
                recipe.certificates = { [root = authority.root.certificate] in
                    [$0, lower.certificate, upper.certificate, root]
                }
            } == "ok")
    }

    @Test("what is too large is refused before it is read")
    func sizes() throws {
        #expect(
            try outcome { recipe, authority in
                recipe.certificates = { [issuer = authority.intermediate.certificate] in
                    [$0, issuer + Array(repeating: 0, count: 8_192)]
                }
            } == "malformed_attestation A2")
        for (count, expected) in [(16_384, "ok"), (16_385, "malformed_attestation A2")] {
            #expect(
                try outcome { recipe, _ in recipe.receipt = Array(repeating: 0, count: count) } == expected)
        }
        #expect(
            try outcome { recipe, _ in recipe.receipt = Array(repeating: 0, count: 32_768) }
                == "malformed_attestation A2")
        #expect(
            try outcome { recipe, _ in
                recipe.authenticatorData.extensions = .map([(.text("big"), .bytes(Array(repeating: 0, count: 4_000)))])
            } == "malformed_attestation A2")
        #expect(
            try outcome({ recipe, _ in recipe.receipt = Array(repeating: 0, count: 16_384) }, receipt: true)
                == "receipt_malformed R1")
    }

    @Test("the App ID in the certificate must be readable where there is one")
    func keyAttributes() throws {
        func outcome(_ value: [UInt8]) throws -> String {
            try self.outcome { recipe, _ in recipe.editLeaf = { $0[AppleExtension.keyAttributes] = value } }
        }
        #expect(try outcome(MintedDER.sequence()) == "ok")
        #expect(try outcome([0x30, 0x05]) == "certificate_app_id_mismatch A10")
        let text = MintedDER.utf8(AppAttestFixture.appID.description)
        #expect(try outcome(MintedDER.sequence(MintedDER.tagged(1204, text))) == "certificate_app_id_mismatch A10")
    }

    @Test("facts of the device that cannot be read are not told, and change nothing")
    func deviceAttributes() throws {
        for value: [UInt8] in [[], [0x30, 0x05], MintedDER.sequence(MintedDER.tagged(1400, MintedDER.octets([0xff])))] {
            #expect(
                try outcome { recipe, _ in recipe.editLeaf = { $0[AppleExtension.deviceAttributes] = value } } == "ok")
        }
    }

    @Test("short names of extensions are read where the long ones are absent")
    func shortNames() throws {
        let long = try AuthenticatorDataExtensions(
            encoded: MintedCBOR.map([
                (.text("validationCategory"), .bytes([1, 0, 0, 0])), (.text("bundleVersion"), .unsigned(1)),
                (.text("apple_validation_category_01"), .bytes([4, 0, 0, 0])),
                (.text("apple_bundle_version_01"), .text("2")),
            ]).encoded[...])
        #expect((long.category, long.bundleVersion) == (.appStore, "2"))
        #expect(long.other == ["validationCategory", "bundleVersion"])
        let short = try AuthenticatorDataExtensions(
            encoded: MintedCBOR.map([
                (.text("validationCategory"), .unsigned(4)), (.text("bundleVersion"), .text("2")),
            ]).encoded[...])
        #expect((short.category, short.bundleVersion) == (.appStore, "2"))
        for wrong: (key: MintedCBOR, value: MintedCBOR) in [
            (.text("validationCategory"), .unsigned(1 << 32)), (.text("bundleVersion"), .text("")),
            (.text("bundleVersion"), .text(String(repeating: "1", count: 129))), (.unsigned(1), .unsigned(1)),
            (.text("apple_cd_hash_type_01"), .bytes([2])), (.text("apple_cd_hash_hash_01"), .bytes([])),
        ] {
            #expect(throws: MalformedAuthenticatorData.self) {
                try AuthenticatorDataExtensions(encoded: MintedCBOR.map([wrong]).encoded[...])
            }
        }
    }
}
