import AppAttest
import AppAttestTestKit
import Crypto
import Foundation

/// What is verified: fresh, because the peer takes the time of the machine. `bench-appattest mint FILE` writes it for
/// both.
struct Inputs: Codable {
    var appID: String
    var challenge: [UInt8]
    /// Both roots, PEM.
    var anchors: String
    var attestation: [UInt8]
    var keyID: [UInt8]
    var publicKey: [UInt8]
    var assertion: [UInt8]
    var mintedAt: Date

    static func mint(at now: Date) throws -> Inputs {
        let appID = AppID("ABCDE12345.com.example.bench")!
        let challenge = (0..<32).map { _ in UInt8.random(in: 0...0xff) }
        let hash = Array(SHA256.hash(data: challenge))
        let authority = try TestAuthority(at: now)
        let recipe = AttestationRecipe(appID: appID, clientDataHash: hash, at: now)
        let minted = try recipe.mint(by: authority)
        let assertion = AssertionRecipe(appID: appID, key: recipe.credentialKey, clientDataHash: hash, signCount: 1)
        return Inputs(
            appID: appID.description, challenge: challenge, anchors: authority.anchorsPEM, attestation: minted.bytes,
            keyID: minted.keyName, publicKey: minted.publicKey, assertion: try assertion.mint(),
            mintedAt: now)
    }
}
