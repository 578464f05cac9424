package import AppAttest

/// Where registered keys are kept. Each operation is atomic, also between several gates on one store.
///
/// Source: `appattest-gate` section 5.1.
package protocol KeyStore: Sendable {
    /// Whether the keys are in this process's memory: looking one up costs so little that anybody may be the reason for
    /// it, and there is no other gate.
    var isLocal: Bool { get }

    /// Keeps a new key; durable when it returns. A key that is there already stays exactly as it is.
    func insertIfAbsent(_ key: AttestedKey) async throws(StoreError) -> KeyInsertion

    /// A key by its name; nil where there is none.
    func key(_ id: KeyID) async throws(StoreError) -> AttestedKey?

    /// Compares and sets: the counter rises to `signCount`, or nothing changes. Only `.advanced` lets a connection in.
    ///
    /// - Parameter now: the time of use; a store that several gates share may take its own clock instead.
    func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp
    ) async throws(StoreError) -> CounterAdvance

    /// Notes that keys are being used, which make room for others last and are not forgotten: their connections are
    /// open. That need not be exact to the hour, nor durable.
    ///
    /// - Parameter now: as in ``advance(_:to:facts:now:)``.
    func noteUse(of keys: [KeyID], now: Timestamp) async throws(StoreError)

    /// Returns whether the key is there. The first revocation stands.
    func revoke(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool

    /// Revokes a key, and notes that its device is to be banned at Apple's. The first revocation stands, and a device
    /// that is banned stays so.
    ///
    /// Returns whether the key is there.
    func ban(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool

    /// Notes that Apple has the ban of a key's device. Returns whether one was wanted.
    func settleDeviceBan(_ id: KeyID) async throws(StoreError) -> Bool

    /// Notes that a key was used with an account, and says whether that account is banned. What it says `.bound` of, a
    /// later ``ban(_:)`` finds.
    func bind(_ id: KeyID, to account: AccountTag) async throws(StoreError) -> AccountBinding

    /// Bans an account, and revokes all keys that were used with it. The first ban stands; asked again, it completes
    /// what was not done.
    ///
    /// - Returns: those keys, also the ones that were revoked before.
    func ban(_ ban: AccountBan) async throws(StoreError) -> [KeyID]

    /// Lets an account in again; its keys stay revoked. Returns whether it was banned.
    func liftBan(of account: AccountTag) async throws(StoreError) -> Bool

    /// Banned accounts by their tags, at most `limit`, behind `cursor` (nil: from the first).
    func bans(after cursor: AccountTag?, limit: Int) async throws(StoreError) -> [AccountBan]

    /// Returns whether the key was there.
    func delete(_ id: KeyID) async throws(StoreError) -> Bool

    /// Which of these keys get in no more: those that somebody revoked, wherever, and those that are not there.
    func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID]

    /// Keys that were revoked or deleted, at whichever gate, as soon as the store hears of it: until the task that
    /// waits for them is cancelled, or the store has nothing to tell.
    ///
    /// Hints, of which any may be wrong or missing: what ``withdrawn(of:)`` says is what counts.
    func withdrawals() -> AsyncStream<[KeyID]>

    /// Keys in an order that stays (which one is the store's choice), at most `limit`, behind `cursor` (nil: from the
    /// first).
    func keys(after cursor: KeyID?, limit: Int) async throws(StoreError) -> [AttestedKey]

    /// The keys whose name begins so, at most two of them, and one of a whole name.
    ///
    /// Names are not kept: this looks once at all keys, and is to be called for operators alone.
    func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey]

    /// How many keys are kept.
    func count() async throws(StoreError) -> Int

    /// Replaces a receipt unless somebody else did so meanwhile.
    ///
    /// - Parameter expecting: the bytes of the receipt that is to be replaced.
    /// - Returns: whether it was.
    func updateReceipt(
        _ id: KeyID, expecting: [UInt8]?, new: StoredReceipt
    ) async throws(StoreError) -> Bool

    /// Takes keys whose receipts are due (`RiskSchedule`) so that newer ones are asked for, those first that are due
    /// for the longest time: until `end` no other caller is given them. It puts their receipts' dates off to `end`.
    ///
    /// - Parameters:
    ///   - now: the time of the call.
    ///   - end: of the lease.
    /// - Returns: at most `limit` of them, as they are now.
    func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) async throws(StoreError) -> [AttestedKey]

    /// Forgets keys that were not used for so long, at most `limit` of them. Those stay whose devices are to be banned.
    ///
    /// - Parameter now: the time of the call; a store that several gates share takes its own clock instead.
    func removeUnused(for age: Duration, now: Timestamp, limit: Int) async throws(StoreError) -> Int

    /// Whether the store answers; for readiness.
    func check() async throws(StoreError)

    /// Brings everything to disk and lets go of the store.
    func close() async
}

/// What came of keeping a new key.
package enum KeyInsertion: Equatable, Sendable {
    case inserted
    case exists(AttestedKey)
}

/// What came of raising a key's counter.
package enum CounterAdvance: Equatable, Sendable {
    case advanced
    /// The stored counter is as high already.
    case stale(current: UInt32)
    case unknown
    case revoked
}

extension KeyStore {
    package var isLocal: Bool { false }

    /// Nothing is told: who wants to know asks ``withdrawn(of:)``.
    package func withdrawals() -> AsyncStream<[KeyID]> { AsyncStream { $0.finish() } }

    /// Asks for one key after the other, as is well where they are in memory.
    package func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID] {
        var withdrawn: [KeyID] = []
        for id in keys {
            let key = try await key(id)
            if key == nil || key?.revocation != nil { withdrawn.append(id) }
        }
        return withdrawn
    }
}
