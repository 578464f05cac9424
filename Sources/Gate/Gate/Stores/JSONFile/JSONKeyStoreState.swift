internal import AppAttest
internal import StrictJSON

/// What changes in a ``JSONKeyStore``.
struct JSONKeyStoreState {
    typealias Insertion = CheckedContinuation<Result<KeyInsertion, StoreError>, Never>

    /// Who waits for the disk.
    struct Change {
        var continuation: CheckedContinuation<Result<Bool, StoreError>, Never>
        /// Whether there was something to be changed.
        var isChanged: Bool
    }

    /// A key that is not on the disk yet. Until it is, nobody sees it.
    struct Arrival {
        var key: AttestedKey
        /// The insertions that wait for the disk; the first one is that which inserted the key.
        var waiting: [Insertion]
    }

    /// What one save brings to the disk.
    struct Batch {
        var table: KeyTable
        var unreadable: [JSON.Member]
        /// Keys that made room, and when they were last used.
        var reclaimed: [(id: KeyID, lastUsedAt: Timestamp)]
        var schedule: SaveSchedule
        var waiting: [Change]
        /// How many promises had been made, which it keeps.
        var promises: UInt64
    }

    static let closed = StoreError.unavailable("the key store is closed")
    private static let stuck = StoreError.unavailable("the disk does not answer to what the key store writes")

    var table: KeyTable
    var unreadable: [JSON.Member]
    /// The version of the file as it was read or written here last.
    var fileVersion: [Int64]
    /// The keys that go with the next save; those of the present one are in `landing`.
    private(set) var arriving: [KeyID: Arrival] = [:]
    private(set) var landing: [KeyID: Arrival] = [:]
    /// Changes that were made and wait for the next save.
    var waiting: [Change] = []
    /// How many changes were made so far of which nobody is told before they are on the disk.
    private var promises: UInt64 = 0
    /// The newest of these for each key of which the disk does not have all, also after a save that failed.
    private var promised: [KeyID: UInt64] = [:]
    var schedule = SaveSchedule()
    /// What the save that is under way is to bring to the disk, and since when.
    private var saving: (schedule: SaveSchedule, since: Duration)?
    /// Whether a save has begun that has not ended.
    var isSaving: Bool { saving != nil }
    var isSaveWanted = false
    var isLookComing = false
    var isClosed = false
    /// Why the last save failed.
    var outage: StoreError?

    init(table: KeyTable, unreadable: [JSON.Member], fileVersion: [Int64] = []) {
        self.fileVersion = fileVersion
        self.table = table
        self.unreadable = unreadable
    }

    func refuseIfClosed() throws(StoreError) { if isClosed { throw Self.closed } }

    /// Refuses what a crash would cost, where the disk has taken nothing for longer than that may be: it refused, or
    /// does not come back.
    func refuseIfOverdue(at now: Duration) throws(StoreError) {
        let first = saving.map { $0.schedule.first ?? $0.since } ?? schedule.first
        guard let first, now >= first + SaveSchedule.longest else { return }
        if let outage { throw outage }
        if now >= first + SaveSchedule.longest + SaveSchedule.patience { throw Self.stuck }
    }

    /// Whether the table holds something of a key that must not count before it is on the disk.
    func isPromised(_ id: KeyID?) -> Bool { id.map { promised[$0] != nil } ?? false }

    /// Takes note of a change of which nobody is told before it is on the disk.
    mutating func promise(of id: KeyID?, at now: Duration) {
        promises += 1
        if let id { promised[id] = promises }
        schedule.changed(at: now)
    }

    /// Returns whether a save must be begun.
    mutating func wantSave() -> Bool {
        defer { isSaveWanted = true }
        return !isSaveWanted
    }

    /// Returns after which time to look whether it is time to save, if somebody must begin that.
    mutating func waitUntilLook(from now: Duration) -> Duration? {
        guard let due = schedule.due, !isLookComing, !isClosed else { return nil }
        isLookComing = true
        // After a failure the time of what waits is over already.
        return outage == nil ? min(SaveSchedule.quiet, max(.zero, due - now)) : SaveSchedule.quiet
    }

    /// Returns whether a save must be begun.
    mutating func insertIfAbsent(_ key: AttestedKey, _ continuation: Insertion) -> Bool {
        if isClosed {
            continuation.resume(returning: .failure(Self.closed))
        } else if let existing = table[key.id] {
            continuation.resume(returning: .success(.exists(existing)))
        } else if landing[key.id] != nil {
            landing[key.id]?.waiting.append(continuation)
        } else {
            arriving[key.id, default: Arrival(key: key, waiting: [])].waiting.append(continuation)
            return wantSave()
        }
        return false
    }

    mutating func beginSave(maximumKeys: Int, at now: Duration) -> Batch? {
        guard isSaveWanted else { return nil }
        isSaveWanted = false
        saving = (schedule, now)
        landing = arriving
        arriving = [:]
        var next = table
        for arrival in landing.values { next.insert(arrival.key) }
        let surplus = next.surplus(next.count - maximumKeys, maximum: maximumKeys) { landing[$0.id] == nil }
        let reclaimed = surplus.compactMap { id in next[id].map { (id, $0.lastUsedAt) } }
        for id in surplus { _ = next.remove(id) }
        defer {
            schedule = SaveSchedule()
            waiting = []
        }
        // A key takes the name of what was none.
        let unreadable =
            landing.isEmpty
            ? unreadable
            : unreadable.filter { member in
                KeyID(base64: member.name).map { landing[$0] == nil } ?? true
            }
        return Batch(
            table: next, unreadable: unreadable, reclaimed: reclaimed, schedule: schedule, waiting: waiting,
            promises: promises)
    }

    mutating func finishSave(_ batch: Batch, _ failure: StoreError?, at now: Duration) {
        outage = failure
        saving = nil
        if let failure {
            schedule.failed(batch.schedule)
            // Also where nothing waits: whether the disk takes something again is known by trying.
            if schedule.due == nil { schedule.changed(at: now) }
            for change in batch.waiting { change.continuation.resume(returning: .failure(failure)) }
            for arrival in landing.values {
                for continuation in arrival.waiting { continuation.resume(returning: .failure(failure)) }
            }
        } else {
            unreadable = batch.unreadable
            promised = promised.filter { $0.value > batch.promises }
            for (id, lastUsedAt) in batch.reclaimed {
                // One that was used meanwhile stays, and is written again.
                if table[id]?.lastUsedAt == lastUsedAt { _ = table.remove(id) } else { schedule.changed(at: now) }
            }
            for change in batch.waiting { change.continuation.resume(returning: .success(change.isChanged)) }
            for arrival in landing.values { land(arrival) }
        }
        landing = [:]
    }

    private mutating func land(_ arrival: Arrival) {
        table.insert(arrival.key)
        for (index, continuation) in arrival.waiting.enumerated() {
            continuation.resume(returning: .success(index == 0 ? .inserted : .exists(arrival.key)))
        }
    }
}
