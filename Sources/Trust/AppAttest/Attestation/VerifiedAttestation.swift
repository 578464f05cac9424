/// What an attestation proves: keep its key, and the receipt for later.
public struct VerifiedAttestation: Hashable, Sendable {
    public let keyID: KeyID
    public let appID: AppID
    public let environment: AppAttestEnvironment
    /// The X9.62 point, 65 bytes.
    public let publicKey: [UInt8]
    /// The counter above which the first assertion must be.
    public var signCount: UInt32 { 0 }
    public let extensions: AuthenticatorDataExtensions
    public let certificate: CertificateFacts
    /// The receipt as Apple made it, BER.
    public let receipt: [UInt8]
    /// The content of the receipt; nil where the policy leaves it unread.
    public let verifiedReceipt: Receipt?

    /// The key as PEM of its SubjectPublicKeyInfo.
    public var publicKeyPEM: String { SubjectPublicKey.pem(point: publicKey) }
}
