package import AppAttest

/// A registered key, as a store keeps it.
///
/// Source: `appattest-gate` section 5.1.
package struct AttestedKey: Equatable, Sendable {
    /// The name of the key: the SHA-256 of its public part.
    package var id: KeyID
    /// The app that the key was attested for.
    package var appID: AppID
    /// The environment of App Attest in which that was.
    package var environment: AppAttestEnvironment
    /// The public key as an X9.62 point, 65 bytes.
    package var publicKey: [UInt8]
    /// The counter of the last assertion that was let in; 0 at registration.
    package var signCount: UInt32
    /// When the key was registered.
    package var registeredAt: Timestamp
    /// When it was registered or last let in.
    package var lastUsedAt: Timestamp
    /// When it was last let in; nil if it never was.
    package var lastAssertedAt: Timestamp?
    /// What the device told of the running app last.
    package var facts: AssertionFacts
    /// The newest receipt; nil where there is none.
    package var receipt: StoredReceipt?
    /// Why the key is not let in any more; nil while it is.
    package var revocation: Revocation?
    /// Which accounts of the service the key was used with, in the order in which they came; at most
    /// ``maximumAccounts``.
    package var accounts: [AccountTag]
    /// The state of the ban of the key's device; nil where it was not banned.
    package var deviceBan: DeviceBan?

    /// How many accounts a key may be used with.
    package static let maximumAccounts = 16

    /// Makes a record of its parts.
    package init(
        id: KeyID, appID: AppID, environment: AppAttestEnvironment, publicKey: [UInt8], signCount: UInt32 = 0,
        registeredAt: Timestamp, lastUsedAt: Timestamp, lastAssertedAt: Timestamp? = nil,
        facts: AssertionFacts = AssertionFacts(),
        receipt: StoredReceipt? = nil, revocation: Revocation? = nil, accounts: [AccountTag] = [],
        deviceBan: DeviceBan? = nil
    ) {
        self.id = id
        self.appID = appID
        self.environment = environment
        self.publicKey = publicKey
        self.signCount = signCount
        self.registeredAt = registeredAt
        self.lastUsedAt = lastUsedAt
        self.lastAssertedAt = lastAssertedAt
        self.facts = facts
        self.receipt = receipt
        self.revocation = revocation
        self.accounts = accounts
        self.deviceBan = deviceBan
    }
}

/// What an attestation or assertion tells about the running app beside its signature (iOS 27 and later).
package struct AssertionFacts: Equatable, Sendable {
    /// The category of the app's distribution.
    package var category: UInt32?
    /// The version of the app's bundle.
    package var bundleVersion: String?
}

/// The newest receipt of a key, and what Apple says in it.
package struct StoredReceipt: Equatable, Sendable {
    /// The receipt in DER.
    package var bytes: [UInt8]
    /// How many keys this app has had attested on that device in about 30 days.
    package var riskMetric: Int?
    /// When the next one may be asked for; later than Apple says while somebody asks, and after
    /// a refusal.
    package var notBefore: Timestamp?
    /// From when on Apple does not take it any more.
    package var expiresAt: Timestamp?

    /// Makes a record of its parts.
    package init(bytes: [UInt8], riskMetric: Int? = nil, notBefore: Timestamp? = nil, expiresAt: Timestamp? = nil) {
        self.bytes = bytes
        self.riskMetric = riskMetric
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }
}

/// The decision of an operator or of the risk policy that a key is not let in any more.
package struct Revocation: Equatable, Sendable {
    /// When that was decided.
    package var at: Timestamp
    /// Why, for people.
    package var reason: String

    /// Makes a record of its parts.
    package init(at: Timestamp, reason: String) {
        self.at = at
        self.reason = reason
    }
}
