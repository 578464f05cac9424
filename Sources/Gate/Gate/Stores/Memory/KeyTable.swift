internal import AppAttest
internal import StrictJSON

/// Registered keys in memory, and what is done to them: the rules that ``MemoryKeyStore`` and ``JSONKeyStore`` share.
struct KeyTable: Sendable {
    struct Entry: Sendable {
        var key: AttestedKey
        /// Members of its object in the JSON file that this version does not know.
        var others: [JSON.Member] = []
    }

    private(set) var entries: [KeyID: Entry] = [:]
    /// Another one whenever a key has come or gone.
    private(set) var version = 0
    private(set) var bans: [AccountTag: AccountBan] = [:]

    var count: Int { entries.count }

    subscript(_ id: KeyID) -> AttestedKey? { entries[id]?.key }

    mutating func insert(_ key: AttestedKey, others: [JSON.Member] = []) {
        entries[key.id] = Entry(key: key, others: others)
        version += 1
    }

    mutating func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp
    ) -> CounterAdvance {
        guard let index = entries.index(forKey: id) else { return .unknown }
        let key = entries.values[index].key
        guard key.revocation == nil else { return .revoked }
        guard signCount > key.signCount else { return .stale(current: key.signCount) }
        entries.values[index].key.signCount = signCount
        entries.values[index].key.facts = facts
        // A clock that is behind for a while makes no key older than it is.
        let time = max(key.lastUsedAt, now)
        entries.values[index].key.lastUsedAt = time
        entries.values[index].key.lastAssertedAt = time
        return .advanced
    }

    mutating func noteUse(of keys: [KeyID], now: Timestamp) {
        for id in keys {
            guard let index = entries.index(forKey: id) else { continue }
            entries.values[index].key.lastUsedAt = max(entries.values[index].key.lastUsedAt, now)
        }
    }

    /// Returns nil if there is no such key, else whether it was not revoked before.
    mutating func revoke(_ id: KeyID, _ revocation: Revocation) -> Bool? {
        guard let index = entries.index(forKey: id) else { return nil }
        guard entries.values[index].key.revocation == nil else { return false }
        entries.values[index].key.revocation = revocation
        return true
    }

    /// Returns whether the key is there.
    mutating func ban(_ id: KeyID, _ revocation: Revocation) -> Bool {
        guard revoke(id, revocation) != nil, let index = entries.index(forKey: id) else { return false }
        if entries.values[index].key.deviceBan == nil { entries.values[index].key.deviceBan = .pending }
        return true
    }

    mutating func settleDeviceBan(_ id: KeyID) -> Bool {
        guard let index = entries.index(forKey: id), entries.values[index].key.deviceBan == .pending else {
            return false
        }
        entries.values[index].key.deviceBan = .set
        return true
    }

    /// - Returns: also whether anything changed.
    mutating func bind(_ id: KeyID, to account: AccountTag) -> (binding: AccountBinding, isChanged: Bool) {
        guard let index = entries.index(forKey: id) else { return (.unknown, false) }
        let binding = bans[account] == nil ? AccountBinding.bound : .banned
        let accounts = entries.values[index].key.accounts
        guard !accounts.contains(account) else { return (binding, false) }
        guard accounts.count < AttestedKey.maximumAccounts else { return (.tooMany, false) }
        entries.values[index].key.accounts.append(account)
        return (binding, true)
    }

    mutating func ban(_ ban: AccountBan) -> [KeyID] {
        if bans[ban.account] == nil { bans[ban.account] = ban }
        let keys = entries.values.lazy.map(\.key).filter { $0.accounts.contains(ban.account) }.map(\.id)
        for key in keys { _ = revoke(key, Revocation(at: ban.at, reason: ban.reason)) }
        return Array(keys)
    }

    mutating func liftBan(of account: AccountTag) -> Bool { bans.removeValue(forKey: account) != nil }

    func bans(after cursor: AccountTag?, limit: Int) -> [AccountBan] {
        let behind = bans.values.filter { ban in
            cursor.map { $0.bytes.lexicographicallyPrecedes(ban.account.bytes) } ?? true
        }
        return Array(
            behind.sorted { $0.account.bytes.lexicographicallyPrecedes($1.account.bytes) }.prefix(max(0, limit)))
    }

    mutating func remove(_ id: KeyID) -> Bool {
        version += 1
        return entries.removeValue(forKey: id) != nil
    }

    mutating func updateReceipt(_ id: KeyID, expecting: [UInt8]?, new: StoredReceipt) -> Bool {
        guard let index = entries.index(forKey: id), entries.values[index].key.receipt?.bytes == expecting else {
            return false
        }
        entries.values[index].key.receipt = new
        return true
    }

    mutating func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) -> [AttestedKey] {
        let due = entries.values.lazy.map(\.key).compactMap { key in
            RiskSchedule.due(key, now: now).flatMap { $0 <= now ? (time: $0, id: key.id) : nil }
        }
        return due.sorted { $0.time < $1.time }.prefix(max(0, limit)).compactMap { due in
            entries[due.id]?.key.receipt?.notBefore = end
            return entries[due.id]?.key
        }
    }

    /// All keys by what they are called, in no order, and the version of which these are.
    var listing: (version: Int, ids: [KeyID]) { (version, Array(entries.keys)) }

    /// The first keys of a list, at most `limit`. Those that have gone meanwhile are passed over.
    func keys(_ ids: ArraySlice<KeyID>, limit: Int) -> [AttestedKey] {
        var keys: [AttestedKey] = []
        for id in ids {
            guard keys.count < limit else { break }
            if let key = self[id] { keys.append(key) }
        }
        return keys
    }

    mutating func removeUnused(for age: Duration, now: Timestamp, limit: Int) -> Int {
        let deadline = now - age
        let unused = leastRecentlyUsed(limit) { $0.lastUsedAt < deadline }
        for id in unused { _ = remove(id) }
        return unused.count
    }

    /// The keys that make room for others where there are more than `maximum`: the least recently used. But of keys
    /// that nobody ever connected with there are a sixteenth at most before they go first: a flood of registrations
    /// pushes out its own.
    ///
    /// - Parameter condition: of those that may go.
    func surplus(_ count: Int, maximum: Int, where condition: (AttestedKey) -> Bool = { _ in true }) -> [KeyID] {
        guard count > 0 else { return [] }
        func isUnused(_ key: AttestedKey) -> Bool {
            key.lastAssertedAt == nil && key.mayBeForgotten && condition(key)
        }
        let unused = entries.values.count { isUnused($0.key) }
        let first = leastRecentlyUsed(min(count, unused - maximum / Self.unusedShare)) { isUnused($0) }
        guard first.count < count else { return first }
        let chosen = Set(first)
        return first + leastRecentlyUsed(count - first.count) { !chosen.contains($0.id) && condition($0) }
    }

    private static var unusedShare: Int { 16 }

    /// The keys that were not used for the longest time, first those, of those that may be forgotten.
    func leastRecentlyUsed(_ count: Int, where condition: (AttestedKey) -> Bool = { _ in true }) -> [KeyID] {
        guard count > 0 else { return [] }
        let candidates: [AttestedKey] = entries.values.lazy.map(\.key).filter { $0.mayBeForgotten && condition($0) }
        if count == 1 { return candidates.min { $0.lastUsedAt < $1.lastUsedAt }.map { [$0.id] } ?? [] }
        return candidates.map { ($0.lastUsedAt, $0.id) }.sorted { $0.0 < $1.0 }.prefix(count).map(\.1)
    }
}

extension AttestedKey {
    /// A key whose device is still to be banned stays, used or not: its app brings the token by which that is done.
    fileprivate var mayBeForgotten: Bool { deviceBan != .pending }
}
