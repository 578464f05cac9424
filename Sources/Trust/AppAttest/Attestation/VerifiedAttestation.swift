/// What an attestation proves: keep its key, and the receipt for later.
public struct VerifiedAttestation: Hashable, Sendable {
    public let keyID: KeyID
    public let appID: AppID
    public let environment: AppAttestEnvironment
    /// The X9.62 point, 65 bytes.
    public let publicKey: [UInt8]
    /// What the first assertion must rise above.
    public var signCount: UInt32 { 0 }
    public let extensions: AuthenticatorDataExtensions
    public let certificate: CertificateFacts
    /// As Apple made it, BER.
    public let receipt: [UInt8]
    /// What is in the receipt; nil where the policy leaves it unread.
    public let verifiedReceipt: Receipt?

    /// The key as PEM of its SubjectPublicKeyInfo.
    public var publicKeyPEM: String { SubjectPublicKey.pem(point: publicKey) }
}

/// What the leaf of an attestation tells beside its key. Which of the texts there are depends on the version of the system.
public struct CertificateFacts: Hashable, Sendable {
    /// For example `18.3.1`.
    public let osVersion: String?
    /// For example `22D72`.
    public let osBuild: String?
    /// For example `iphoneos`.
    public let platform: String?
    /// The certificate is valid from this second to that, seconds since 1970. An attestation is verified when it arrives:
    /// most cannot be later.
    public let notBefore: Int64
    public let notAfter: Int64
}

/// P-256 keys in the form of X.509.
enum SubjectPublicKey {
    /// SEQUENCE { SEQUENCE { id-ecPublicKey, prime256v1 }, BIT STRING with 65 bytes to follow }.
    private static let derPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01, 0x06, 0x08, 0x2a, 0x86, 0x48,
        0xce, 0x3d, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    static func pem(point: [UInt8]) -> String {
        var rest = Base64.encode(derPrefix + point)[...]
        var lines: [Substring] = ["-----BEGIN PUBLIC KEY-----"]
        while !rest.isEmpty {
            lines.append(rest.prefix(64))
            rest = rest.dropFirst(64)
        }
        return lines.joined(separator: "\n") + "\n-----END PUBLIC KEY-----\n"
    }
}
