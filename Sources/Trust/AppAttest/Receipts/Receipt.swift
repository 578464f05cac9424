import BasicFoundation

/// A receipt that was verified: what Apple vouches for about a key, and what a newer receipt is asked for with.
///
/// Source: `appattest-gate` section 1.7.
public struct Receipt: Hashable, Sendable {
    /// Where a receipt comes from.
    public enum Kind: String, Hashable, Sendable {
        /// A receipt that comes with an attestation.
        case attest = "ATTEST"
        /// A receipt that comes from Apple's server.
        case receipt = "RECEIPT"
    }

    /// Where the receipt comes from.
    public let kind: Kind
    /// The app that the key is of.
    package let appID: String
    /// The X9.62 point of the attested key, 65 bytes.
    package let publicKey: [UInt8]
    /// What the client had attested. (In refreshed receipts it is damaged, as Apple makes them.)
    package let clientHash: [UInt8]?
    /// Apple's token, which has no meaning here.
    package let token: String?
    /// The environment, `production` or `sandbox`.
    package let environment: String?
    /// When Apple made the receipt.
    public let creation: Date
    /// How many keys this app has had attested on that device in about 30 days.
    public let riskMetric: Int?
    /// When the next receipt may be asked for.
    public let notBefore: Date?
    /// From when on the receipt is of no use any more.
    public let expiration: Date
}
