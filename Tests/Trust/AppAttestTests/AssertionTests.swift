import AppAttestTestKit
import TestSupport
import Testing

@testable import AppAttest

@Suite("Assertions")
struct AssertionTests {
    private let appID = AppAttestFixture.appID
    private let hash = AppAttestFixture.clientDataHash

    @Test("the nonce is the one of the specification's known answer")
    func knownAnswer() throws {
        let appID = try #require(AppID("6MURL8TA57.de.vincent-haupert.apple-appattest-poc"))
        let data = AuthenticatorDataRecipe(appID: appID, signCount: 1)
        let clientDataHash = JSON.string("8be65cca515ad097c953967d18d635d86dd78a142ed3d077526bed11c6bec67b").hex
        let nonce = JSON.string("924c5f92d20f08a09ee113dcc45014dd5375895a4a79d49b0548ee85c5b37118").hex
        let encoded = try AssertionRecipe(
            appID: appID, key: .makeP256(), clientDataHash: clientDataHash ?? [], signCount: 1
        ).mint()
        let item = try CBORDecoder.item(encoded[...])
        let found = try #require(item.entries?["authenticatorData"]?.byteString)
        #expect(data.appID == appID.description)
        let bound = try AuthenticatorData(assertion: found)
        #expect(Array(BindingNonce.hash(bound, clientDataHash: clientDataHash ?? [])) == nonce)
    }

    @Test("a minted assertion verifies for its key, its app and its data, and for no other")
    func roundTrip() throws {
        let key = TestKey.makeP256()
        let verifier = try AssertionVerifier(policy: AppAttestFixture.policy)
        let recipe = AssertionRecipe(appID: appID, key: key, clientDataHash: hash, signCount: 8)
        let assertion = try recipe.mint()
        func outcome(
            hash: [UInt8], key: TestKey, appID: AppID? = nil, stored: UInt32 = 7
        ) -> AppAttestError.Code? {
            do throws(AppAttestError) {
                _ = try verifier.verify(
                    assertion: assertion, clientDataHash: hash, publicKey: key.point, appID: appID,
                    storedSignCount: stored)
                return nil
            } catch { return error.code }
        }
        #expect(outcome(hash: hash, key: key) == nil)
        #expect(outcome(hash: hash, key: key, appID: appID) == nil)
        #expect(outcome(hash: hash, key: key, appID: AppID("ABCDE12345.com.other")) == .appIDMismatch)
        #expect(outcome(hash: hash, key: key, stored: 8) == .counterNotIncreasing)
        #expect(outcome(hash: hash, key: .makeP256()) == .signatureInvalid)
        #expect(outcome(hash: hash.reversed(), key: key) == .signatureInvalid)
        #expect(outcome(hash: [], key: key) == .signatureInvalid)
        #expect(outcome(hash: Array(repeating: 0, count: 65), key: key) == .signatureInvalid)
        #expect(outcome(hash: hash, key: .makeP384()) == .unsupportedKey)
    }

    @Test("what the running app says is judged after the signature and the counter")
    func runningApp() throws {
        let key = TestKey.makeP256()
        var policy = AppAttestFixture.policy
        policy.allowedCategories = [.appStore]
        let verifier = try AssertionVerifier(policy: policy)
        var recipe = AssertionRecipe(appID: appID, key: key, clientDataHash: hash, signCount: 1)
        recipe.authenticatorData.extensions = AuthenticatorDataRecipe.runningApp(
            category: .appStore, bundleVersion: "12")
        let good = try verifier.verify(
            assertion: recipe.mint(), clientDataHash: hash, publicKey: key.point, storedSignCount: 0)
        #expect(good.extensions.category == .appStore)
        #expect(good.extensions.bundleVersion == "12")
        recipe.authenticatorData.extensions = AuthenticatorDataRecipe.runningApp(
            category: .development, bundleVersion: "12")
        let bad = try recipe.mint()
        for (stored, code) in [(0, AppAttestError.Code.validationCategoryRejected), (1, .counterNotIncreasing)] {
            do throws(AppAttestError) {
                _ = try verifier.verify(
                    assertion: bad, clientDataHash: hash, publicKey: key.point, storedSignCount: UInt32(stored))
                Issue.record("it was accepted")
            } catch { #expect(error.code == code) }
        }
    }

    @Test("every truncation and every changed bit of an assertion is refused")
    func changed() async throws {
        let key = TestKey.makeP256()
        let verifier = try AssertionVerifier(policy: AppAttestFixture.policy)
        let assertion = try AssertionRecipe(appID: appID, key: key, clientDataHash: hash, signCount: 1).mint()
        func isAccepted(_ bytes: [UInt8]) -> Bool {
            (try? verifier.verify(assertion: bytes, clientDataHash: hash, publicKey: key.point, storedSignCount: 0))
                != nil
        }
        #expect(isAccepted(assertion))
        for end in assertion.indices { #expect(!isAccepted(Array(assertion[..<end]))) }
        for bit in 0..<(assertion.count * 8) {
            await Task.yield()
            #expect(!isAccepted(assertion.flipping(bit: bit)), "bit \(bit)")
        }
        #expect(!isAccepted(assertion + Array(repeating: 0, count: 5_000)))
    }
}
