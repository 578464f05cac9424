package import AppAttest
internal import Dispatch
internal import StrictJSON
internal import Synchronization

/// Registered keys in one JSON file, for one gate: the embedded default.
///
/// All keys are in memory. A new key, a revocation and a deletion are on the disk when their call returns; those that
/// come while the file is being written share the next write. Counters and receipts follow within ten seconds, and two
/// more where the disk is slow, which a crash may cost: outstanding nonces die with the process, so an assertion cannot
/// be used again. When the disk takes nothing for longer than that, counters do not advance any more.
///
/// The file is this store's while it is open. Of what others write into it nevertheless, revocations are taken over,
/// and nothing else.
///
/// Source: `appattest-gate` section 5.2.
package final class JSONKeyStore: KeyStore {
    package struct Options: Sendable {
        /// The app of entries that name none; nil skips such entries.
        package var appID: AppID?
        /// The environment of entries that name none.
        package var environment = AppAttestEnvironment.production
        /// Beyond it a new key takes the place of the one that was not used for the longest time.
        package var maximumKeys = 10_000
        /// Whether only root and this process's user may own the file, and change names in its folder: a gate lets in
        /// who stands there.
        package var isGuarded = false
        /// Whether a file that is no JSON is set aside, instead of being an error.
        package var recovers = false

        package init() {}
    }

    /// What the file held when it was opened.
    package struct Opening: Equatable, Sendable {
        package var keys = 0
        /// Entries that are no keys; they stay in the file.
        package var skipped = 0
        /// Where an unreadable file is now.
        package var setAside: String?
    }

    package let opening: Opening
    let file: KeyFile
    let timer: any StoreTimer
    package let maximumKeys: Int
    let defaults: KeyFileEntry.Defaults
    let state: Mutex<JSONKeyStoreState>
    private let order = KeyOrder()
    /// The queue on which the file is written, by one save after the other.
    let queue = DispatchQueue(label: "store.json")
    /// The queue on which it is read again: a disk that does not take a save may still show a revocation.
    private let readingQueue = DispatchQueue(label: "store.json.reading")

    /// Opens the file, or begins with none. Blocks.
    ///
    /// - Parameters:
    ///   - now: the time of the call; an entry that does not say when it was used counts as used then.
    /// - Throws: `StoreError`: `corrupt` with the place of the error if the file is no JSON, `inUse` if another process
    ///   has it, `unavailable` if it or its folder cannot be read.
    package convenience init(
        path: String, _ options: Options = Options(), now: Timestamp, timer: any StoreTimer = SystemTimer()
    ) throws(StoreError) {
        try self.init(KeyFile(path, isGuarded: options.isGuarded), options, now: now, timer: timer)
    }

    package init(_ file: KeyFile, _ options: Options, now: Timestamp, timer: any StoreTimer) throws(StoreError) {
        var content = KeyFileContent()
        var opening = Opening()
        defaults = KeyFileEntry.Defaults(appID: options.appID, environment: options.environment, lastUsedAt: now)
        let version = file.version
        if let bytes = try file.read() {
            do throws(StoreError) { content = try KeyFileContent(bytes, defaults) } catch {
                guard options.recovers else { throw error }
                opening.setAside = try file.setAside()
            }
        }
        opening.keys = content.table.count
        opening.skipped = content.skipped
        self.opening = opening
        self.file = file
        self.timer = timer
        maximumKeys = max(1, options.maximumKeys)
        state = Mutex(
            JSONKeyStoreState(table: content.table, unreadable: content.unreadable, fileVersion: version))
    }

    package func insertIfAbsent(_ key: AttestedKey) async throws(StoreError) -> KeyInsertion {
        try await withCheckedContinuation { continuation in
            let mustSave = state.withLock { $0.insertIfAbsent(key, continuation) }
            if mustSave { save() }
        }.get()
    }

    package var isLocal: Bool { true }

    package func key(_ id: KeyID) -> AttestedKey? { state.withLock { $0.table[id] } }

    package func advance(
        _ id: KeyID, to signCount: UInt32, facts: AssertionFacts, now: Timestamp
    ) throws(StoreError) -> CounterAdvance {
        try change { (table) throws(StoreError) in
            let result = table.advance(id, to: signCount, facts: facts, now: now)
            return (result, result == .advanced)
        }
    }

    /// Notes that keys are being used. The file has it with the next change; for itself it is not worth a save of all.
    package func noteUse(of keys: [KeyID], now: Timestamp) { state.withLock { $0.table.noteUse(of: keys, now: now) } }

    /// Revokes a key at once, also if the disk does not take it.
    package func revoke(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        try await changeAndSave(of: id) { $0.revoke(id, revocation) != nil }
    }

    package func ban(_ id: KeyID, _ revocation: Revocation) async throws(StoreError) -> Bool {
        try await changeAndSave(of: id) { $0.ban(id, revocation) }
    }

    package func settleDeviceBan(_ id: KeyID) async throws(StoreError) -> Bool {
        try await changeAndSave(of: id) { $0.settleDeviceBan(id) }
    }

    /// Binds a key to an account; a new binding is on the disk before anybody gets in with it, whoever made it.
    package func bind(_ id: KeyID, to account: AccountTag) async throws(StoreError) -> AccountBinding {
        var binding = AccountBinding.unknown
        _ = try await changeAndSave(of: id) { table in
            let outcome = table.bind(id, to: account)
            binding = outcome.binding
            return outcome.isChanged
        }
        return binding
    }

    package func ban(_ ban: AccountBan) async throws(StoreError) -> [KeyID] {
        var keys: [KeyID] = []
        _ = try await changeAndSave { table in
            keys = table.ban(ban)
            return true
        }
        return keys
    }

    package func liftBan(of account: AccountTag) async throws(StoreError) -> Bool {
        try await changeAndSave { $0.liftBan(of: account) }
    }

    package func bans(after cursor: AccountTag?, limit: Int) -> [AccountBan] {
        state.withLock(\.table).bans(after: cursor, limit: limit)
    }

    /// Returns which of the keys are gone or revoked. It also looks whether somebody revoked keys in the file itself.
    package func withdrawn(of keys: [KeyID]) async throws(StoreError) -> [KeyID] {
        await withCheckedContinuation { continuation in
            readingQueue.async { [self] in
                takeOverRevocations()
                continuation.resume()
            }
        }
        return state.withLock { state in
            keys.filter { state.table[$0] == nil || state.table[$0]?.revocation != nil }
        }
    }

    package func delete(_ id: KeyID) async throws(StoreError) -> Bool {
        try await changeAndSave(of: id) { $0.remove(id) }
    }

    package func keys(after cursor: KeyID?, limit: Int) -> [AttestedKey] {
        let version = state.withLock { $0.table.version }
        let ids = order.ids(after: cursor, version: version) { state.withLock { $0.table.listing } }
        return state.withLock { $0.table.keys(ids, limit: limit) }
    }

    package func keys(named prefix: KeyNamePrefix) async throws(StoreError) -> [AttestedKey] {
        // Names are made without the lock.
        let found = prefix.find(in: state.withLock { $0.table.listing.ids })
        return state.withLock { $0.table.keys(found[...], limit: found.count) }
    }

    package func count() -> Int { state.withLock(\.table.count) }

    package func updateReceipt(
        _ id: KeyID, expecting: [UInt8]?, new: StoredReceipt
    ) throws(StoreError) -> Bool {
        try change { table in
            let isDone = table.updateReceipt(id, expecting: expecting, new: new)
            return (isDone, isDone)
        }
    }

    package func claimDueReceipts(now: Timestamp, until end: Timestamp, limit: Int) throws(StoreError) -> [AttestedKey]
    {
        try change { table in
            let keys = table.claimDueReceipts(now: now, until: end, limit: limit)
            return (keys, !keys.isEmpty)
        }
    }

    package func removeUnused(for age: Duration, now: Timestamp, limit: Int) throws(StoreError) -> Int {
        try change { table in
            let count = table.removeUnused(for: age, now: now, limit: limit)
            return (count, count > 0)
        }
    }

    /// Throws if the last save failed, also after ``close()``, if one does not end, or if the store is closed.
    package func check() throws(StoreError) {
        let now = timer.now
        try state.withLock { (state) throws(StoreError) in
            if let outage = state.outage { throw outage }
            try state.refuseIfOverdue(at: now)
            try state.refuseIfClosed()
        }
    }

    package func close() async {
        let isFirst = state.withLock { state in
            defer { state.isClosed = true }
            return !state.isClosed
        }
        guard isFirst else { return }
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                let isDirty = state.withLock { state in
                    if state.schedule.due != nil { state.isSaveWanted = true }
                    return state.isSaveWanted
                }
                if isDirty { saveNow() }
                file.unlock()
                continuation.resume()
            }
        }
    }
}
