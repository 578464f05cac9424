import AppAttestTestKit
import Crypto
import TestSupport
import Testing

@testable import AppAttest

@Suite("Attestations")
struct AttestationTests {
    @Test("a minted attestation verifies, and tells what it is about")
    func roundTrip() throws {
        var recipe = AppAttestFixture.recipe()
        recipe.authenticatorData.extensions = AuthenticatorDataRecipe.runningApp(
            category: .testFlight, bundleVersion: "7")
        let minted = try recipe.mint(by: AppAttestFixture.authority.get())
        let found = try AppAttestFixture.verifier().verify(
            attestation: minted.bytes, keyID: minted.keyID, clientDataHash: recipe.clientDataHash,
            at: AppAttestFixture.now)
        #expect(found.keyID.base64 == minted.keyID)
        #expect(found.publicKey == minted.publicKey)
        #expect(found.appID == AppAttestFixture.appID)
        #expect(found.environment == .production)
        #expect(found.extensions.category == .testFlight)
        #expect(found.extensions.bundleVersion == "7")
        #expect(found.certificate.osVersion == "27.0")
        #expect(found.certificate.osBuild == "24A325b")
        #expect(found.certificate.platform == "iphoneos")
        #expect(found.receipt == minted.receipt)
        #expect(found.verifiedReceipt?.kind == .attest)
        let pem = try P256.Signing.PublicKey(pemRepresentation: found.publicKeyPEM)
        #expect(Array(pem.x963Representation) == minted.publicKey)
    }

    @Test("authorities that are made anew work like those of the fixtures, and through their files")
    func newAuthority() throws {
        let recipe = AppAttestFixture.recipe()
        let authority = try TestAuthority(at: AppAttestFixture.now)
        let files = authority.files
        let again = try TestAuthority { try #require(files[$0]) }
        #expect(again.anchors == authority.anchors)
        for authority in [authority, again] {
            let verifier = try AttestationVerifier(
                policy: AppAttestFixture.policy, anchors: TrustAnchors(pem: authority.anchorsPEM))
            #expect(verifier.outcome(try recipe.mint(by: authority)) == "ok")
            let other = try AppAttestFixture.verifier()
            #expect(other.outcome(try recipe.mint(by: authority)) == "untrusted_chain A6")
        }
    }

    @Test("a challenge is hashed; the name of a key is read")
    func conveniences() throws {
        let challenge = try #require(AppAttestFixture.facts["nonce_hex"].hex)
        let (bytes, keyID, time) = try AppAttestFixture.attestation("mint-ok-plain")
        let verifier = try AppAttestFixture.verifier()
        _ = try verifier.verify(attestation: bytes, keyID: keyID, challenge: challenge, at: time)
        do throws(AppAttestError) {
            _ = try verifier.verify(attestation: bytes, keyID: "AAAA", clientDataHash: challenge, at: time)
            Issue.record("it was accepted")
        } catch { #expect((error.code, error.step) == (.keyIDMalformed, "A0")) }
    }

    @Test("hashes of client data have 1 to 64 bytes", arguments: [(0, false), (1, true), (64, true), (65, false)])
    func hashLengths(count: Int, isAccepted: Bool) throws {
        var recipe = AppAttestFixture.recipe()
        recipe.clientDataHash = Array(repeating: 9, count: count)
        let minted = try recipe.mint(by: AppAttestFixture.authority.get())
        let verifier = try AppAttestFixture.verifier()
        let found = try? verifier.verify(
            attestation: minted.bytes, keyID: minted.keyID, clientDataHash: recipe.clientDataHash,
            at: AppAttestFixture.now)
        #expect((found != nil) == isAccepted)
    }

    @Test("every truncation of an attestation is refused")
    func truncated() async throws {
        let (bytes, keyID, time) = try AppAttestFixture.attestation("mint-ok-plain")
        let verifier = try AppAttestFixture.verifier()
        for end in bytes.indices {
            await Task.yield()
            #expect(throws: AppAttestError.self) {
                try verifier.verify(
                    attestation: Array(bytes[..<end]), keyID: keyID, clientDataHash: AppAttestFixture.clientDataHash,
                    at: time)
            }
        }
    }

    @Test("a changed bit in any byte of an attestation is refused, in its receipt too")
    func changed() async throws {
        let (bytes, keyID, time) = try AppAttestFixture.attestation("mint-ok-plain")
        let verifier = try AppAttestFixture.verifier()
        var random = SplitMix64(state: 8)
        for index in bytes.indices {
            await Task.yield()
            let changed = bytes.flipping(bit: index * 8 + Int(random.next() % 8))
            #expect(throws: AppAttestError.self, "byte \(index)") {
                try verifier.verify(
                    attestation: changed, keyID: keyID, clientDataHash: AppAttestFixture.clientDataHash, at: time)
            }
        }
    }

    @Test("many changes at once never trap and never verify")
    func manyChanges() async throws {
        let (bytes, keyID, time) = try AppAttestFixture.attestation("mint-ok-ext-ed-set")
        let verifier = try AppAttestFixture.verifier()
        var random = SplitMix64(state: 9)
        for _ in 0..<3_000 {
            await Task.yield()
            var changed = bytes
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = random.byte()
            }
            if changed == bytes { continue }
            let found = try? verifier.verify(
                attestation: changed, keyID: keyID, clientDataHash: AppAttestFixture.clientDataHash, at: time)
            #expect(found == nil)
        }
    }

    @Test(
        "a hash of the code counts as a whole SHA-256 that is said to be one",
        arguments: 0...4 as ClosedRange<UInt8>)
    func codeHash(type: UInt8) throws {
        let hash = [UInt8](repeating: 7, count: 32)
        var policy = AppAttestFixture.policy
        policy.allowedCodeHashes = [hash]
        var recipe = AppAttestFixture.recipe()
        recipe.authenticatorData.extensions = .map([
            (.text("apple_cd_hash_hash_01"), .bytes(hash)), (.text("apple_cd_hash_type_01"), .bytes([type])),
        ])
        let outcome = try AppAttestFixture.verifier(policy).outcome(recipe.mint(by: AppAttestFixture.authority.get()))
        #expect(type == 2 ? outcome == "ok" : outcome.hasPrefix("code_hash_rejected"), "\(outcome)")
    }

    @Test("a policy without an app, and roots that are no certificates, make no verifier")
    func setup() throws {
        #expect(throws: VerifierSetupError.noAppID) { try AttestationVerifier(policy: AppAttestPolicy(appIDs: [])) }
        #expect(throws: VerifierSetupError.noAppID) { try AssertionVerifier(policy: AppAttestPolicy(appIDs: [])) }
        let none = TrustAnchors(attestationRoot: [0x30, 0x00], receiptRoot: TrustAnchors.apple.receiptRoot)
        #expect(throws: VerifierSetupError.self) {
            try AttestationVerifier(policy: AppAttestFixture.policy, anchors: none)
        }
        #expect(throws: VerifierSetupError.self) { try TrustAnchors(pem: "") }
        #expect(throws: VerifierSetupError.self) {
            try TrustAnchors(pem: AppAttestFixture.authority.get().root.key.pem)
        }
    }

    @Test("Apple's roots are those that Apple publishes, and a verifier starts with them")
    func roots() throws {
        _ = try AttestationVerifier(policy: AppAttestFixture.policy)
        let fingerprints = [TrustAnchors.apple.attestationRoot, TrustAnchors.apple.receiptRoot].map {
            SHA256.hash(data: $0).description
        }
        #expect(
            fingerprints == [
                "SHA256 digest: 1cb9823ba28ba6ad2d33a006941de2ae4f513ef1d4e831b9f7e0fa7b6242c932",
                "SHA256 digest: 63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179",
            ])
        #expect(TrustAnchors.apple.areApples)
        #expect(try !AppAttestFixture.authority.get().anchors.areApples)
    }
}
