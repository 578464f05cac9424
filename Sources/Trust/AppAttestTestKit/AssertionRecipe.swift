import AppAttest
import Crypto

/// An assertion before it is made. Every part can be another than it should be; nil stands for what is right.
public struct AssertionRecipe: Sendable {
    /// The key that signs.
    public var key: TestKey
    /// The hash of what the client signs for.
    public var clientDataHash: [UInt8]
    /// The authenticator data, which is signed too.
    public var authenticatorData: AuthenticatorDataRecipe
    /// Makes what stands in place of the signature, from the nonce.
    public var sign: (@Sendable (_ nonce: [UInt8]) throws -> [UInt8])?
    /// Changes the assertion itself, as CBOR.
    package var editObject: @Sendable (inout [(key: MintedCBOR, value: MintedCBOR)]) -> Void = { _ in }

    /// An assertion as a device makes it.
    public init(appID: AppID, key: TestKey, clientDataHash: [UInt8], signCount: UInt32) {
        self.key = key
        self.clientDataHash = clientDataHash
        authenticatorData = AuthenticatorDataRecipe(appID: appID, signCount: signCount)
    }

    /// Makes the assertion.
    ///
    /// - Returns: CBOR.
    public func mint() throws -> [UInt8] {
        let data = authenticatorData.encoded()
        let nonce = AttestationRecipe.bindingNonce(authenticatorData: data, clientDataHash: clientDataHash)
        // The nonce is a message: it is hashed once more.
        let signature = try sign?(nonce) ?? key.signature(over: nonce, .sha256)
        var object: [(key: MintedCBOR, value: MintedCBOR)] = [
            (.text("signature"), .bytes(signature)), (.text("authenticatorData"), .bytes(data)),
        ]
        editObject(&object)
        return MintedCBOR.map(object).encoded
    }
}
