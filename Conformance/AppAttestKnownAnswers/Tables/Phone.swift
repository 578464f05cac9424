import AppAttest
import AppAttestTestKit
import Crypto
import Gate
import GateTestKit
import TextForms

/// A device of the table: says anything, also what no device would.
struct Phone {
    let key = TestKey.makeP256()
    let authority: TestAuthority
    let appID: AppID

    var keyID: String { AssertionRecipe.keyID(of: key) }

    func hash(_ nonce: String) -> [UInt8] { Array(SHA256.hash(data: Hex.decode(nonce) ?? [])) }

    /// The body of a registration.
    ///
    /// - Parameter attested: the nonce that is attested, where that is another.
    func registration(_ nonce: String, attesting attested: String? = nil, field: String = "clientData") throws
        -> [UInt8]
    {
        var recipe = AttestationRecipe(appID: appID, clientDataHash: hash(attested ?? nonce), at: .now)
        recipe.credentialKey = key
        let attestation = try recipe.mint(by: authority)
        let text = Base64.encode(attestation.bytes)
        return Array(#"{"keyId":"\#(keyID)","attestation":"\#(text)","\#(field)":"\#(nonce)"}"#.utf8)
    }

    func assertion(
        _ nonce: String, counter: UInt32, signedBy other: TestKey? = nil
    ) throws -> [(name: String, value: String)] {
        let assertion = try AssertionRecipe(
            appID: appID, key: other ?? key, clientDataHash: hash(nonce), signCount: counter
        ).mint()
        return [
            ("X-App-Assert-KeyId", keyID), ("X-App-Assert-Data", Base64.encode(assertion)),
            ("X-App-Assert-Nonce", nonce),
        ]
    }

    /// The phone's key as the gate would keep it.
    func record(signCount: UInt32) -> AttestedKey? {
        KeyID(base64: keyID).map {
            let now = SystemClock().now
            return AttestedKey(
                id: $0, appID: appID, environment: .production, publicKey: key.point, signCount: signCount,
                registeredAt: now, lastUsedAt: now)
        }
    }
}
