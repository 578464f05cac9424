internal import AppAttest
internal import Synchronization

/// Registered keys that end with the process: for tests, and for trying the gate out.
final class MemoryKeyStore: KeyStore {
    private let table = Mutex(KeyTable())
    private let maximumKeys: Int

    /// - Parameter maximumKeys: beyond it a new key takes the place of the one that was not used for the longest time.
    init(maximumKeys: Int = 10_000) {
        self.maximumKeys = max(1, maximumKeys)
    }

    func insertIfAbsent(_ key: AttestedKey) -> KeyInsertion {
        table.withLock { table in
            if let existing = table[key.id] { return .exists(existing) }
            for id in table.surplus(table.count + 1 - maximumKeys, maximum: maximumKeys) { _ = table.remove(id) }
            table.insert(key)
            return .inserted
        }
    }

    var isLocal: Bool { true }

    func key(_ id: KeyID) -> AttestedKey? { table.withLock { $0[id] } }

    func advance(_ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Int64) -> CounterAdvance {
        table.withLock { $0.advance(id, to: signCount, facts: facts, now: now) }
    }

    func revoke(_ id: KeyID, _ revocation: Revocation) -> Bool {
        table.withLock { $0.revoke(id, revocation) != nil }
    }

    func ban(_ id: KeyID, _ revocation: Revocation) -> Bool { table.withLock { $0.ban(id, revocation) } }

    func settleDeviceBan(_ id: KeyID) -> Bool { table.withLock { $0.settleDeviceBan(id) } }

    func bind(_ id: KeyID, to account: AccountTag) -> AccountBinding {
        table.withLock { $0.bind(id, to: account).binding }
    }

    func ban(_ ban: AccountBan) -> [KeyID] { table.withLock { $0.ban(ban) } }

    func liftBan(of account: AccountTag) -> Bool { table.withLock { $0.liftBan(of: account) } }

    func bans(after cursor: AccountTag?, limit: Int) -> [AccountBan] {
        table.withLock { $0.bans(after: cursor, limit: limit) }
    }

    func delete(_ id: KeyID) -> Bool { table.withLock { $0.remove(id) } }

    func keys(after cursor: KeyID?, limit: Int) -> [AttestedKey] {
        table.withLock { $0.keys(after: cursor, limit: limit) }
    }

    func count() -> Int { table.withLock { $0.count } }

    func updateReceipt(_ id: KeyID, expecting: [UInt8]?, new: StoredReceipt) -> Bool {
        table.withLock { $0.updateReceipt(id, expecting: expecting, new: new) }
    }

    func claimDueReceipts(now: Int64, until end: Int64, limit: Int) -> [AttestedKey] {
        table.withLock { $0.claimDueReceipts(now: now, until: end, limit: limit) }
    }

    func removeUnused(since deadline: Int64, limit: Int) -> Int {
        table.withLock { $0.removeUnused(since: deadline, limit: limit) }
    }

    func check() {}

    func close() {}
}
