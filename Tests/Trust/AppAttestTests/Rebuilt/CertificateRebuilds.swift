import AppAttestTestKit
import Crypto
import TextForms

@testable import AppAttest

extension Rebuild {
    /// Steps A4 to A6.
    static let chains: [Rebuild] = [
        Rebuild("cert-garbage") { recipe, _, authority in
            recipe.certificates = { [issuer = authority.intermediate.certificate] _ in [Array("leaf".utf8), issuer] }
        },
        Rebuild("cert-trailing") { recipe, _, authority in
            recipe.certificates = { [issuer = authority.intermediate.certificate] in [$0 + [0], issuer] }
        },
        Rebuild("leaf-key-p384") { recipe, _, _ in
            recipe.credentialKey = .makeP384()
            recipe.coseKey = AttestationRecipe.coseKey(point: TestKey.makeP256().point)
        },
        Rebuild("chain-other-root-same-name") { recipe, _, _ in
            recipe.issuer = try TestAuthority(at: recipe.mintTime).intermediate
        },
        Rebuild("leaf-signature-flipped") { recipe, _, authority in
            recipe.certificates = { [issuer = authority.intermediate.certificate] leaf in
                [leaf.dropLast() + [leaf[leaf.count - 1] ^ 1], issuer]
            }
        },
        Rebuild("x5c-swapped") { recipe, _, authority in
            recipe.certificates = { [issuer = authority.intermediate.certificate] in [issuer, $0] }
        },
        Rebuild("self-signed-leaf") { recipe, _, authority in
            recipe.issuer = TestAuthority.Member(
                key: recipe.credentialKey, certificate: authority.intermediate.certificate,
                name: CertificateTemplate.name([(.commonName, "Itself")]))
            recipe.editLeaf = { $0.subject = $0.issuer }
        },
        Rebuild("leaf-is-ca") { recipe, _, _ in
            recipe.editLeaf = { $0.extensions[0] = .authority(pathLength: nil) }
        },
        Rebuild("intermediate-not-ca") { recipe, _, authority in
            recipe.issuer = try authority.root.issue(
                "Not a CA", key: .makeP384(), constraints: .notAuthority, at: recipe.mintTime)
        },
        Rebuild("pathlen-exceeded") { recipe, _, authority in
            let between = try authority.intermediate.issue(
                "Between", key: .makeP256(), constraints: .authority(pathLength: nil), at: recipe.mintTime)
            recipe.issuer = between
            recipe.certificates = { [upper = authority.intermediate.certificate] in [$0, between.certificate, upper] }
        },
        Rebuild("issuer-name-mismatch") { recipe, _, authority in
            recipe.editLeaf = { [name = authority.root.name] in $0.issuer = name }
        },
        Rebuild("leaf-unknown-critical-ext") { recipe, _, _ in
            recipe.editLeaf = {
                $0.extensions.append(CertificateExtension("1.3.6.1.4.1.99999.1", isCritical: true, MintedDER.null))
            }
        },
        Rebuild("leaf-expired", seconds: 48 * 60 * 60 + 1),
        Rebuild("leaf-not-yet-valid", seconds: -24 * 60 * 60 - 1),
        Rebuild("intermediate-expired") { recipe, _, authority in
            recipe.issuer = try authority.root.issue(
                "Expired", key: .makeP384(), constraints: .authority(pathLength: 0), at: recipe.mintTime
            ) { [end = recipe.mintTime] in $0.notAfter = UTCTimestamp(end) }
        },
        Rebuild("mint-ok-root-in-x5c") { recipe, _, authority in
            recipe.certificates = {
                [upper = [authority.intermediate.certificate, authority.root.certificate]] in [$0] + upper
            }
        },
    ]

    /// Steps A7, A8 and A0.
    static let bindings: [Rebuild] = [
        Rebuild("nonce-ext-missing") { recipe, _, _ in recipe.editLeaf = { $0[AppleExtension.nonce] = nil } },
        Rebuild("nonce-oid-planted-in-other-extension") { recipe, _, _ in
            recipe.editLeaf = {
                let planted =
                    MintedDER.objectIdentifier(AppleExtension.nonce)
                    + MintedDER.octets($0[AppleExtension.nonce] ?? [])
                $0[AppleExtension.nonce] = nil
                $0["1.3.6.1.4.1.99999.2"] = planted
            }
        },
        nonceForm("nonce-ext-bare-octet-string") { MintedDER.octets($0) },
        nonceForm("nonce-ext-two-elements") {
            MintedDER.sequence(
                MintedDER.tagged(1, MintedDER.octets($0)), MintedDER.tagged(1, MintedDER.octets($0)))
        },
        nonceForm("nonce-ext-31-bytes") {
            MintedDER.sequence(MintedDER.tagged(1, MintedDER.octets(Array($0.dropLast()))))
        },
        nonceForm("nonce-ext-trailing") { MintedDER.sequence(MintedDER.tagged(1, MintedDER.octets($0))) + [0] },
        Rebuild("nonce-wrong") { recipe, _, _ in recipe.nonce = Array(repeating: 7, count: 32) },
        Rebuild("wrong-challenge", clientDataHash: Array(repeating: 7, count: 32)),
        Rebuild("nonce-without-hashing-challenge") { recipe, _, authority in
            try recipe.editData(by: authority) { _ in }
            let raw = AppAttestFixture.facts["nonce_hex"].hex ?? []
            recipe.nonce = AttestationRecipe.bindingNonce(
                authenticatorData: recipe.authenticatorData.bytes ?? [], clientDataHash: raw)
        },
        Rebuild("key-id-other", keyID: Base64.encode(Array(repeating: UInt8(7), count: 32))),
        Rebuild("key-id-spki-hash", keyID: Base64.encode(Array(SHA256.hash(data: TestKey.makeP256().publicKeyInfo)))),
        Rebuild("key-id-31-bytes", keyID: Base64.encode(Array(repeating: UInt8(7), count: 31))),
        Rebuild("key-id-not-base64", keyID: String(repeating: "*", count: 44)),
    ]

    /// The nonce of a leaf in another form.
    private static func nonceForm(_ id: String, _ form: @escaping @Sendable ([UInt8]) -> [UInt8]) -> Rebuild {
        Rebuild(id) { recipe, _, _ in
            recipe.editLeaf = { $0[AppleExtension.nonce] = form(($0[AppleExtension.nonce] ?? []).suffix(32)) }
        }
    }
}
