package import AppAttest
internal import Synchronization

/// Registered keys that end with the process: for tests, and for trying the gate out.
package final class MemoryKeyStore: KeyStore {
    private let table = Mutex(KeyTable())
    private let order = KeyOrder()
    private let maximumKeys: Int

    /// - Parameter maximumKeys: beyond it a new key takes the place of the one that was not used for the longest time.
    package init(maximumKeys: Int = 10_000) {
        self.maximumKeys = max(1, maximumKeys)
    }

    package func insertIfAbsent(_ key: AttestedKey) -> KeyInsertion {
        table.withLock { table in
            if let existing = table[key.id] { return .exists(existing) }
            for id in table.surplus(table.count + 1 - maximumKeys, maximum: maximumKeys) { _ = table.remove(id) }
            table.insert(key)
            return .inserted
        }
    }

    package var isLocal: Bool { true }

    package func key(_ id: KeyID) -> AttestedKey? { table.withLock { $0[id] } }

    package func advance(_ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp) -> CounterAdvance {
        table.withLock { $0.advance(id, to: signCount, facts: facts, now: now) }
    }

    package func noteUse(of keys: [KeyID], now: Timestamp) { table.withLock { $0.noteUse(of: keys, now: now) } }

    package func revoke(_ id: KeyID, _ revocation: Revocation) -> Bool {
        table.withLock { $0.revoke(id, revocation) != nil }
    }

    package func ban(_ id: KeyID, _ revocation: Revocation) -> Bool { table.withLock { $0.ban(id, revocation) } }

    package func settleDeviceBan(_ id: KeyID) -> Bool { table.withLock { $0.settleDeviceBan(id) } }

    package func bind(_ id: KeyID, to account: AccountTag) -> AccountBinding {
        table.withLock { $0.bind(id, to: account).binding }
    }

    package func ban(_ ban: AccountBan) -> [KeyID] { table.withLock { $0.ban(ban) } }

    package func liftBan(of account: AccountTag) -> Bool { table.withLock { $0.liftBan(of: account) } }

    package func bans(after cursor: AccountTag?, limit: Int) -> [AccountBan] {
        table.withLock { $0.bans(after: cursor, limit: limit) }
    }

    package func delete(_ id: KeyID) -> Bool { table.withLock { $0.remove(id) } }

    package func keys(after cursor: KeyID?, limit: Int) -> [AttestedKey] {
        let ids = order.ids(after: cursor, version: table.withLock { $0.version }) { table.withLock { $0.listing } }
        return table.withLock { $0.keys(ids, limit: limit) }
    }

    package func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey] {
        let found = prefix.find(in: table.withLock { $0.listing.ids })
        return table.withLock { $0.keys(found[...], limit: found.count) }
    }

    package func count() -> Int { table.withLock { $0.count } }

    package func updateReceipt(_ id: KeyID, expecting: [UInt8]?, new: StoredReceipt) -> Bool {
        table.withLock { $0.updateReceipt(id, expecting: expecting, new: new) }
    }

    package func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) -> [AttestedKey] {
        table.withLock { $0.claimDueReceipts(now: now, until: end, limit: limit) }
    }

    package func removeUnused(for age: Duration, now: Timestamp, limit: Int) -> Int {
        table.withLock { $0.removeUnused(for: age, now: now, limit: limit) }
    }

    package func check() {}

    package func close() {}
}
