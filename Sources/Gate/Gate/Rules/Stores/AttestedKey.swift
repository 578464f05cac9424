internal import AppAttest

/// A registered key, as a store keeps it.
///
/// Times are milliseconds since 1970, UTC: what the JSON file, PostgreSQL and the clock of the gate have in common.
///
/// Source: `appattest-gate` section 5.1.
struct AttestedKey: Equatable, Sendable {
    var id: KeyID
    var appID: AppID
    var environment: AppAttestEnvironment
    /// The public key as an X9.62 point, 65 bytes.
    var publicKey: [UInt8]
    /// The counter of the last assertion that was let in; 0 at registration.
    var signCount: UInt32
    var registeredAt: Int64
    var lastUsedAt: Int64
    var lastAssertedAt: Int64?
    var facts: AssertionFacts
    var receipt: StoredReceipt?
    var revocation: Revocation?
    /// Which accounts of the service the key was used with, in the order in which they came; at most
    /// ``maximumAccounts``.
    var accounts: [AccountTag]
    /// The state of the ban of the key's device; nil where it was not banned.
    var deviceBan: DeviceBan?

    static let maximumAccounts = 16

    init(
        id: KeyID, appID: AppID, environment: AppAttestEnvironment, publicKey: [UInt8], signCount: UInt32 = 0,
        registeredAt: Int64, lastUsedAt: Int64, lastAssertedAt: Int64? = nil, facts: AssertionFacts = AssertionFacts(),
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
struct AssertionFacts: Equatable, Sendable {
    var category: UInt32?
    var bundleVersion: String?

    init(category: UInt32? = nil, bundleVersion: String? = nil) {
        self.category = category
        self.bundleVersion = bundleVersion
    }
}

/// The newest receipt of a key, and what Apple says in it.
struct StoredReceipt: Equatable, Sendable {
    var bytes: [UInt8]
    /// How many keys this app has had attested on that device in about 30 days.
    var riskMetric: Int?
    /// When the next one may be asked for, in milliseconds since 1970; later than Apple says while somebody asks, and
    /// after a refusal.
    var notBefore: Int64?
    var expiresAt: Int64?

    init(bytes: [UInt8], riskMetric: Int? = nil, notBefore: Int64? = nil, expiresAt: Int64? = nil) {
        self.bytes = bytes
        self.riskMetric = riskMetric
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }
}

/// The decision of an operator or of the risk policy that a key is not let in any more.
struct Revocation: Equatable, Sendable {
    var at: Int64
    var reason: String

    init(at: Int64, reason: String) {
        self.at = at
        self.reason = reason
    }
}
