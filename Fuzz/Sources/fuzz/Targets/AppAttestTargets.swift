@_spi(Fuzzing) import AppAttest
import AppAttestTestKit
import Foundation

extension FuzzTarget {
    /// CBOR of the profile: it has fewer items than bytes.
    static let deterministicCBOR = FuzzTarget(
        name: "appattest-cbor",
        seeds: [
            [0x00], [0x38, 0x63], [0x44, 1, 2, 3, 4], [0x62, 0xc3, 0xbc], [0x82, 0x01, 0x81, 0x02],
            [0xa2, 0x61, 0x61, 0xf5, 0x41, 0x61, 0xf6],
        ]
    ) { bytes in
        if let count = OutsideAppAttestBytes.cbor(bytes) { precondition((1...bytes.count).contains(count)) }
    }

    /// Authenticator data, with and without a credential and extensions.
    static let authenticatorData = FuzzTarget(
        name: "appattest-authenticator-data",
        seeds: [
            Array(repeating: 0, count: 37),
            Array(repeating: 0, count: 32) + [0xc0, 0, 0, 0, 1, 0xa1, 0x6d] + Array("bundleVersion".utf8) + [
                0x61, 0x31,
            ],
            Array(repeating: 0, count: 32) + [0x40, 0, 0, 0, 0] + Array("appattestdevelop".utf8) + [0x00, 0x20]
                + Array(repeating: 1, count: 32) + [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20]
                + Array(repeating: 2, count: 32) + [0x22, 0x58, 0x20] + Array(repeating: 3, count: 32),
        ]
    ) { bytes in
        OutsideAppAttestBytes.authenticatorData(bytes)
    }

    /// A whole attestation: nothing but the seed itself verifies, in whichever order its keys are.
    static let attestation = FuzzTarget(name: "appattest-attestation", seeds: [sample?.attestation ?? []]) { bytes in
        guard let sample else { return }
        let found = try? sample.attestations.verify(
            attestation: bytes, keyID: sample.keyID, clientDataHash: sample.hash, at: sample.now)
        precondition(found == nil || bytes.count == sample.attestation.count)
    }

    /// A whole assertion: nothing but the seed itself verifies, in whichever order its keys are.
    static let assertion = FuzzTarget(name: "appattest-assertion", seeds: [sample?.assertion ?? []]) { bytes in
        guard let sample else { return }
        let found = try? sample.assertions.verify(
            assertion: bytes, clientDataHash: sample.hash, publicKey: sample.publicKey, storedSignCount: 0)
        precondition(found == nil || bytes.count == sample.assertion.count)
    }

    /// Receipts in BER and DER, and what is in them: the content is shorter than what it comes in.
    static let receipt = FuzzTarget(name: "appattest-receipt", seeds: sample?.receipts ?? [[0x30, 0x80]]) { bytes in
        if let count = OutsideAppAttestBytes.receipt(bytes) { precondition(count < bytes.count) }
    }
}

/// One attestation with its assertion and receipts, and who verifies them.
private struct AppAttestSample: Sendable {
    let now = Date(timeIntervalSince1970: 1_800_000_000)
    let hash: [UInt8] = Array(repeating: 7, count: 32)
    let attestation: [UInt8]
    let assertion: [UInt8]
    let receipts: [[UInt8]]
    let keyID: KeyID
    let publicKey: [UInt8]
    let attestations: AttestationVerifier
    let assertions: AssertionVerifier

    init?() {
        guard let appID = AppID("ABCDE12345.com.example.fuzz"), let authority = try? TestAuthority(at: now) else {
            return nil
        }
        var recipe = AttestationRecipe(appID: appID, clientDataHash: hash, at: now)
        let key = recipe.credentialKey
        let signed = AssertionRecipe(appID: appID, key: key, clientDataHash: hash, signCount: 1)
        guard let minted = try? recipe.mint(by: authority), let assertion = try? signed.mint(),
            let keyID = KeyID(bytes: minted.keyName),
            let attestations = try? AttestationVerifier(
                policy: AppAttestPolicy(appIDs: [appID]), anchors: authority.anchors),
            let assertions = try? AssertionVerifier(policy: AppAttestPolicy(appIDs: [appID]))
        else { return nil }
        recipe.editReceipt = { $0.encoding = .der }
        guard let inDER = try? recipe.mint(by: authority).receipt else { return nil }
        (attestation, self.assertion, receipts) = (minted.bytes, assertion, [minted.receipt, inDER])
        (self.keyID, publicKey) = (keyID, minted.publicKey)
        (self.attestations, self.assertions) = (attestations, assertions)
    }
}

private let sample = AppAttestSample()
