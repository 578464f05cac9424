import AppAttestTestKit
import Crypto

@testable import AppAttest

extension Rebuild {
    private static let codeHash = Array(SHA256.hash(data: [UInt8]("code".utf8)))

    /// Steps A9 to A16, and what passes them.
    static let policies: [Rebuild] = [
        Rebuild("mint-ok-plain"),
        Rebuild("mint-ok-der-receipt") { recipe, _, _ in recipe.editReceipt = { $0.encoding = .der } },
        Rebuild("mint-ok-ext-ed-clear") { recipe, policy, _ in
            recipe.runningApp(4, flags: 0x40)
            policy.allowedCategories = [.testFlight, .appStore]
            policy.requireCategory = true
            policy.allowedBundleVersions = ["1"]
        },
        Rebuild("mint-ok-ext-ed-set") { recipe, policy, _ in
            recipe.runningApp(2)
            policy.allowedCategories = [.testFlight, .appStore]
        },
        Rebuild("mint-ok-category-as-uint") { recipe, policy, _ in
            recipe.authenticatorData.extensions = .map([(.text("apple_validation_category_01"), .unsigned(4))])
            policy.allowedCategories = [.appStore]
        },
        Rebuild("mint-ok-codehash") { recipe, policy, _ in
            recipe.runningApp(4, codeHash: codeHash)
            policy.allowedCodeHashes = [codeHash]
        },
        Rebuild("mint-ok-unknown-ext-key") { recipe, _, _ in
            recipe.authenticatorData.extensions = .map([
                (.text("apple_something_02"), .array([.raw([0xf6]), .map([])]))
            ])
        },
        Rebuild("mint-ok-dev-env") { recipe, policy, _ in
            recipe.environment = .development
            policy.environments = [.development, .production]
        },
        Rebuild("mint-ok-mac-acl") { recipe, policy, _ in
            recipe.editLeaf = { $0[AppleExtension.accessControl] = accessControl(MacAccessControl.fullSecurity) }
            policy.accessControl = .macFullSecurity
        },
        Rebuild("mint-ok-ios-acl-ignored") { recipe, _, _ in
            recipe.editLeaf = { $0[AppleExtension.accessControl] = accessControl([0x30, 0x00]) }
        },
        Rebuild("mint-ok-no-85-ext") { recipe, _, _ in recipe.editLeaf = { $0[AppleExtension.keyAttributes] = nil } },
        Rebuild("mint-ok-receipt-off") { recipe, policy, _ in
            recipe.receipt = [0x00]
            policy.verifyReceipt = false
        },
        Rebuild("app-id-bundle-only") { recipe, _, _ in recipe.authenticatorData.rpIDHash = hash("com.example.gate") },
        Rebuild("app-id-other-team") { recipe, _, _ in
            recipe.authenticatorData.rpIDHash = hash("OTHERTEAM1.com.example.gate")
        },
        Rebuild("app-id-case") { recipe, _, _ in
            recipe.authenticatorData.rpIDHash = hash("TESTTEAM01.com.example.Gate")
        },
        Rebuild("certificate-app-id-other") { recipe, _, _ in recipe.certificateAppID = "TESTTEAM01.com.example.other"
        },
        Rebuild("counter-1") { recipe, _, _ in recipe.authenticatorData.signCount = 1 },
        Rebuild("aaguid-sandbox") { recipe, _, _ in recipe.aaguid = Array("appattestsandbox".utf8) },
        Rebuild("aaguid-zero") { recipe, _, _ in recipe.aaguid = Array(repeating: 0, count: 16) },
        Rebuild("aaguid-dev-in-production") { recipe, _, _ in recipe.environment = .development },
        Rebuild("aaguid-prod-in-dev-only") { _, policy, _ in policy.environments = [.development] },
        Rebuild("credential-id-other") { recipe, _, _ in recipe.credentialID = Array(repeating: 7, count: 32) },
        Rebuild("cose-key-other") { recipe, _, _ in
            recipe.coseKey = AttestationRecipe.coseKey(point: TestKey.makeP256().point)
        },
        Rebuild("acl-missing-on-mac-policy") { _, policy, _ in policy.accessControl = .macFullSecurity },
        Rebuild("acl-ios-on-mac-policy") { recipe, policy, _ in
            recipe.editLeaf = { $0[AppleExtension.accessControl] = accessControl([0x30, 0x00]) }
            policy.accessControl = .macFullSecurity
        },
        Rebuild("category-development") { recipe, policy, _ in
            recipe.runningApp(3)
            policy.allowedCategories = [.testFlight, .appStore]
        },
        Rebuild("category-missing-required") { _, policy, _ in policy.requireCategory = true },
        Rebuild("category-invalid-0") { recipe, _, _ in recipe.runningApp(0) },
        Rebuild("category-8") { recipe, _, _ in recipe.runningApp(8) },
        Rebuild("bundle-version-not-allowed") { recipe, policy, _ in
            recipe.runningApp(4, "3")
            policy.allowedBundleVersions = ["1", "2"]
        },
        Rebuild("code-hash-not-allowed") { recipe, policy, _ in
            recipe.runningApp(4, codeHash: Array(repeating: 7, count: 32))
            policy.allowedCodeHashes = [codeHash]
        },
        Rebuild("code-hash-truncated-20") { recipe, policy, _ in
            recipe.runningApp(4, codeHash: Array(codeHash.prefix(20)))
            policy.allowedCodeHashes = [codeHash]
        },
    ]

    private static func hash(_ text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }

    private static func accessControl(_ rules: [UInt8]) -> [UInt8] {
        MintedDER.sequence(MintedDER.tagged(3, MintedDER.octets(rules)))
    }
}
