import TextForms

/// What an attestation proves: keep its key, and the receipt for later.
public struct VerifiedAttestation: Hashable, Sendable {
    /// The name of the key.
    public let keyID: KeyID
    /// The app that made the key.
    public let appID: AppID
    /// The environment that the key belongs to.
    public let environment: AppAttestEnvironment
    /// The X9.62 point, 65 bytes.
    public let publicKey: [UInt8]
    /// The counter above which the first assertion must be.
    package var signCount: UInt32 { 0 }
    /// What the device says of the running app.
    public let extensions: AuthenticatorDataExtensions
    /// What the certificate of the key says of the device.
    public let certificate: CertificateFacts
    /// The receipt as Apple made it, BER.
    public let receipt: [UInt8]
    /// The content of the receipt; nil where the policy leaves it unread.
    public let verifiedReceipt: Receipt?

    /// The key as PEM of its SubjectPublicKeyInfo.
    public var publicKeyPEM: String { PublicKeyPEM.encode(publicKey) }
}
