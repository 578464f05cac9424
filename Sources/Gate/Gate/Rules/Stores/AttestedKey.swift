public import AppAttest

/// A registered key, as a store keeps it.
///
/// Source: `appattest-gate` section 5.1.
public struct AttestedKey: Equatable, Sendable {
    /// The name of the key: the SHA-256 of its public part.
    public var id: KeyID
    /// The app that the key was attested for.
    public var appID: AppID
    /// The environment of App Attest in which that was.
    public var environment: AppAttestEnvironment
    /// The public key as an X9.62 point, 65 bytes.
    public var publicKey: [UInt8]
    /// The counter of the last assertion that was let in; 0 at registration.
    public var signCount: UInt32
    /// When the key was registered.
    public var registeredAt: Timestamp
    /// When it was registered or last let in.
    public var lastUsedAt: Timestamp
    /// When it was last let in; nil if it never was.
    public var lastAssertedAt: Timestamp?
    /// What the device told of the running app last.
    public var facts: AssertionFacts
    /// The newest receipt; nil where there is none.
    public var receipt: StoredReceipt?
    /// Why the key is not let in any more; nil while it is.
    public var revocation: Revocation?
    /// Which accounts of the service the key was used with, in the order in which they came; at most
    /// ``maximumAccounts``.
    public var accounts: [AccountTag]
    /// The state of the ban of the key's device; nil where it was not banned.
    public var deviceBan: DeviceBan?

    /// How many accounts a key may be used with.
    package static let maximumAccounts = 16

    /// Makes a record of its parts.
    public init(
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
public struct AssertionFacts: Equatable, Sendable {
    /// The category of the app's distribution.
    public var category: UInt32?
    /// The version of the app's bundle.
    public var bundleVersion: String?

    /// Makes a record of its parts.
    public init(category: UInt32? = nil, bundleVersion: String? = nil) {
        self.category = category
        self.bundleVersion = bundleVersion
    }
}

/// The newest receipt of a key, and what Apple says in it.
public struct StoredReceipt: Equatable, Sendable {
    /// The receipt in DER.
    public var bytes: [UInt8]
    /// How many keys this app has had attested on that device in about 30 days.
    public var riskMetric: Int?
    /// When the next one may be asked for; later than Apple says while somebody asks, and after
    /// a refusal.
    public var notBefore: Timestamp?
    /// From when on Apple does not take it any more.
    public var expiresAt: Timestamp?

    /// Makes a record of its parts.
    public init(bytes: [UInt8], riskMetric: Int? = nil, notBefore: Timestamp? = nil, expiresAt: Timestamp? = nil) {
        self.bytes = bytes
        self.riskMetric = riskMetric
        self.notBefore = notBefore
        self.expiresAt = expiresAt
    }
}

/// The decision of an operator or of the risk policy that a key is not let in any more.
public struct Revocation: Equatable, Sendable {
    /// When that was decided.
    public var at: Timestamp
    /// Why, for people.
    public var reason: String

    /// Makes a record of its parts.
    public init(at: Timestamp, reason: String) {
        self.at = at
        self.reason = reason
    }
}
