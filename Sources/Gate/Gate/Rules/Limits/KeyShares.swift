internal import AppAttest
internal import NIOCore

/// What a registered key may have when the allowance of its address is spent, so that a flood from the same
/// address does not keep it out.
///
/// The share is the key's, wherever it is named, and small. A key gets it that this gate has seen a good assertion or
/// attestation of, or that is found in the store: a claim alone is worth nothing, and how often each address may have
/// the store searched is bounded too.
///
/// Source: `appattest-gate` section 3.7.
struct KeyShares: Sendable {
    /// How many keys are remembered, those that were proven last.
    static let maximumKeys = 65_536
    /// How often an address may have a store on other machines searched for a key: at once, and then each second.
    static let searches = (burst: 64, perSecond: 16)

    private var requests: RateLimiter
    /// Assertions, counted apart: a challenge leads to one.
    private var assertions: RateLimiter
    private var searches = AllowanceTable(burst: Self.searches.burst, perSecond: Self.searches.perSecond)
    /// Whether the key gets a share: false once it was refused.
    private var proven = RecentTable<KeyID, Bool>(capacity: Self.maximumKeys)

    init(_ limit: RateLimit) {
        requests = RateLimiter(limit)
        assertions = RateLimiter(limit)
    }

    /// Takes another limit; 0 gives no key a share.
    mutating func change(to limit: RateLimit) {
        requests.change(to: limit)
        assertions.change(to: limit)
    }

    var isOff: Bool { requests.limit.count == 0 }

    /// Whether the holder of the key has shown itself to this gate.
    func isProven(_ key: KeyID) -> Bool { proven[key] == true }

    /// Notes that somebody signed with the key, and was let in or not.
    mutating func note(_ key: KeyID, isGood: Bool) {
        guard isGood || proven[key] != nil else { return }
        proven.update(key, default: isGood) { $0 = isGood }
    }

    /// Whether the store may be searched once more for a client's claim.
    mutating func search(for client: ClientKey, at now: NIODeadline) -> Bool { searches.take(client, at: now) }

    /// Counts a request of a key that there is.
    ///
    /// - Parameter limiter: of the address, in place of which the share is drawn on.
    /// - Returns: nil if it may pass, otherwise after which time the next one may.
    mutating func take(_ key: KeyID, for limiter: LimiterName, at now: NIODeadline) -> Duration? {
        limiter == .failedAuthentication
            ? assertions.take(ClientKey(key), at: now) : requests.take(ClientKey(key), at: now)
    }
}

extension ClientKey {
    /// Counts by a key in place of an address. A key's name is a SHA-256, of which these 16 bytes are no address that
    /// anybody has.
    init(_ key: KeyID) {
        func half(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: half(key.bytes[..<8]), low: half(key.bytes[8..<16]))
    }
}
