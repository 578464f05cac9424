/// A receipt that was verified: what Apple vouches for about a key, and what a newer receipt is asked for with.
///
/// Source: `appattest-gate` section 1.7.
public struct Receipt: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable {
        /// A receipt that comes with an attestation.
        case attest = "ATTEST"
        /// A receipt that comes from Apple's server.
        case receipt = "RECEIPT"
    }

    public let kind: Kind
    public let appID: String
    /// The X9.62 point of the attested key, 65 bytes.
    public let publicKey: [UInt8]
    /// What the client had attested. (In refreshed receipts it is damaged, as Apple makes them.)
    public let clientHash: [UInt8]?
    public let token: String?
    /// The environment, `production` or `sandbox`.
    public let environment: String?
    public let creation: UnixTime
    /// How many keys this app has had attested on that device in about 30 days.
    public let riskMetric: Int?
    /// When the next receipt may be asked for.
    public let notBefore: UnixTime?
    public let expiration: UnixTime
}
