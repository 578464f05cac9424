public import AppAttest

/// Where registered keys are kept. Each operation is atomic, also between several gates on one store.
///
/// Source: `appattest-gate` section 5.1.
public protocol KeyStore: Sendable {
    /// Whether looking a key up costs no more than memory, so that anybody may be the reason for it.
    var isLocal: Bool { get }

    /// Keeps a new key; durable when it returns. A key that is there already stays exactly as it is.
    func insertIfAbsent(_ key: AttestedKey) async throws(StoreError) -> KeyInsertion

    func key(_ id: KeyID) async throws(StoreError) -> AttestedKey?

    /// Compares and sets: the counter rises to `signCount`, or nothing changes. Only `.advanced` lets a connection in.
    ///
    /// - Parameter now: milliseconds since 1970; a store that several gates share may take its own clock instead.
    func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Int64
    ) async throws(StoreError) -> CounterAdvance

    /// Returns whether the key is there. The first revocation stands.
    func revoke(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool

    /// Returns whether the key was there.
    func delete(_ id: KeyID) async throws(StoreError) -> Bool

    /// Which of these keys get in no more: those that somebody revoked, wherever, and those that are not there.
    func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID]

    /// Keys in an order that stays (which one is the store's choice), at most `limit`, behind `cursor` (nil: from the first).
    func keys(after cursor: KeyID?, limit: Int) async throws(StoreError) -> [AttestedKey]

    func count() async throws(StoreError) -> Int

    /// Replaces a receipt unless somebody else did so meanwhile.
    ///
    /// - Parameter expecting: the bytes of the receipt that is to be replaced.
    /// - Returns: whether it was.
    func updateReceipt(
        _ id: KeyID, expecting: [UInt8]?, new: StoredReceipt
    ) async throws(StoreError) -> Bool

    /// Takes keys whose receipts are due (`RiskSchedule`) for whoever asks for newer ones, those first that are due for the longest
    /// time: until `end` nobody else is given them. It puts their receipts' dates off to `end`.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - end: of the lease, in milliseconds since 1970.
    /// - Returns: at most `limit` of them, as they are now.
    func claimDueReceipts(now: Int64, until end: Int64, limit: Int) async throws(StoreError) -> [AttestedKey]

    /// Forgets keys that were not used since `deadline` (milliseconds since 1970), at most `limit` of them.
    func removeUnused(since deadline: Int64, limit: Int) async throws(StoreError) -> Int

    /// Whether the store answers; for readiness.
    func check() async throws(StoreError)

    /// Brings everything to disk and lets go of the store.
    func close() async
}

public enum KeyInsertion: Equatable, Sendable {
    case inserted
    case exists(AttestedKey)
}

public enum CounterAdvance: Equatable, Sendable {
    case advanced
    /// The stored counter is as high already.
    case stale(current: UInt32)
    case unknown
    case revoked
}

extension KeyStore {
    public var isLocal: Bool { false }

    /// Asks for one key after the other, as is well where they are in memory.
    public func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID] {
        var withdrawn: [KeyID] = []
        for id in keys {
            let key = try await key(id)
            if key == nil || key?.revocation != nil { withdrawn.append(id) }
        }
        return withdrawn
    }
}
