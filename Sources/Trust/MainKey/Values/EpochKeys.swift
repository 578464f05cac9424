import BigEndian
import SecretMemory
import Synchronization

/// The keys that an unlocked vault works with: those of its epochs, and the subkeys made of them, in locked memory.
/// ``destroy()`` zeroises all of them, and the keys of files that are read or written; what asks afterwards gets
/// `locked`.
package final class EpochKeys: Sendable {
    /// Subkeys that are kept ready at the most; the one that was used longest ago makes room.
    static let cacheLimit = 256
    /// Values sealed under one subkey after which new data should get a new key. Nonces are random: half of what is
    /// safe.
    static let sealingsLimit: UInt64 = 1 << 31

    private struct Name: Hashable {
        var purpose: SealedPurpose
        var epoch: UInt32
    }

    private struct IndexName: Hashable {
        var table: String
        var column: String
        var epoch: UInt32

        static func == (left: IndexName, right: IndexName) -> Bool {
            left.epoch == right.epoch && left.table.isSpelled(like: right.table)
                && left.column.isSpelled(like: right.column)
        }
    }

    private struct State {
        var keys: [UInt32: SecretBytes]
        var active: UInt32
        var sealing: LeastRecentlyUsed<Name, Cipher>
        var indexing: LeastRecentlyUsed<IndexName, HMACSHA256.PreparedKey>
        var files: [File] = []
        var isDestroyed = false
    }

    /// What a file in work has in memory, which this does not keep alive, and the epoch of its key.
    private struct File {
        weak var memory: (any Revocable)?
        let epoch: UInt32
    }

    /// A subkey in use, with the context that its values are bound to.
    final class Cipher: Sendable {
        let aead: any AESGCM
        let context: [UInt8]
        fileprivate let sealings = Atomic<UInt64>(0)

        fileprivate init(aead: any AESGCM, context: [UInt8]) {
            self.aead = aead
            self.context = context
        }
    }

    package let vault: VaultID
    private let onManySealings: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - keys: by epoch, `active` among them.
    ///   - onManySealings: told the name of a column whose key should be changed soon.
    package init(
        _ keys: [UInt32: SecretBytes], active: UInt32, vault: VaultID,
        onManySealings: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        precondition(keys[active] != nil, "the active epoch has a key")
        self.vault = vault
        self.onManySealings = onManySealings
        state = Mutex(
            State(
                keys: keys, active: active, sealing: LeastRecentlyUsed(limit: Self.cacheLimit),
                indexing: LeastRecentlyUsed(limit: Self.cacheLimit)))
    }

    /// The epoch that new data is sealed in.
    var active: UInt32 {
        get throws(MainKeyError) { try using { (state) throws(MainKeyError) in state.active } }
    }

    /// All epochs whose data can be opened, oldest first.
    var held: [UInt32] {
        get throws(MainKeyError) { try using { (state) throws(MainKeyError) in state.keys.keys.sorted() } }
    }

    /// Other epochs, after another process or a rotation changed them. What is done with files of those that are
    /// dropped ends.
    func replace(_ keys: [UInt32: SecretBytes], active: UInt32) {
        let dropped = state.withLock { state -> [File] in
            guard !state.isDestroyed else { return [] }
            state.keys = keys
            state.active = active
            state.sealing.removeAll { keys[$0.epoch] == nil }
            state.indexing.removeAll { keys[$0.epoch] == nil }
            defer { state.files.removeAll { keys[$0.epoch] == nil } }
            return state.files.filter { keys[$0.epoch] == nil }
        }
        for file in dropped { file.memory?.revoke(.unknownEpoch(file.epoch)) }
    }

    /// Zeroises everything as soon as no operation uses it.
    package func destroy() {
        // Who reads or writes one may be asking here whether to go on, so that it is waited for outside the lock.
        let files = state.withLock { state in
            defer { state.files = [] }
            state.isDestroyed = true
            state.keys = [:]
            state.sealing.removeAll { _ in true }
            state.indexing.removeAll { _ in true }
            return state.files.compactMap(\.memory)
        }
        for file in files { file.revoke(.locked) }
    }

    /// Revokes what a file has in memory together with the key of its epoch.
    func register(_ memory: any Revocable, of epoch: UInt32) throws(MainKeyError) {
        try using { (state) throws(MainKeyError) in
            guard state.keys[epoch] != nil else { throw .unknownEpoch(epoch) }
            state.files.removeAll { $0.memory == nil }
            state.files.append(File(memory: memory, epoch: epoch))
        }
    }

    /// Whether no rotation dropped the epoch. After ``destroy()`` what counts is that the vault is locked.
    package func isHeld(_ epoch: UInt32) -> Bool { state.withLock { $0.isDestroyed || $0.keys[epoch] != nil } }

    var isDestroyed: Bool { state.withLock { $0.isDestroyed } }

    // MARK: Subkeys

    /// The cipher for new values, with its epoch.
    func sealing(_ purpose: SealedPurpose) throws(MainKeyError) -> (cipher: Cipher, epoch: UInt32) {
        let (cipher, epoch) = try using { (state) throws(MainKeyError) in
            (try Self.cipher(purpose, epoch: state.active, in: &state, of: vault), state.active)
        }
        let count = cipher.sealings.wrappingAdd(1, ordering: .relaxed).newValue
        if count == Self.sealingsLimit { onManySealings("\(purpose)") }
        return (cipher, epoch)
    }

    func opening(_ purpose: SealedPurpose, epoch: UInt32) throws(MainKeyError) -> Cipher {
        try using { (state) throws(MainKeyError) in try Self.cipher(purpose, epoch: epoch, in: &state, of: vault) }
    }

    private static func cipher(
        _ purpose: SealedPurpose, epoch: UInt32, in state: inout State, of vault: VaultID
    ) throws(MainKeyError) -> Cipher {
        let name = Name(purpose: purpose, epoch: epoch)
        if let known = state.sealing[name] { return known }
        let context = try purpose.context()
        let key = try subkey(purpose.label, epoch: epoch, context: context, in: state, of: vault)
        let cipher = Cipher(aead: try AEAD.forValues(key: key), context: context)
        state.sealing[name] = cipher
        return cipher
    }

    /// The key that values are sealed with.
    package func subkey(_ purpose: SealedPurpose, epoch: UInt32) throws(MainKeyError) -> SecretBytes {
        let context = try purpose.context()
        return try using { (state) throws(MainKeyError) in
            try Self.subkey(purpose.label, epoch: epoch, context: context, in: state, of: vault)
        }
    }

    /// The key that blind indexes of a column are made with.
    package func indexKey(table: String, column: String, epoch: UInt32) throws(MainKeyError) -> SecretBytes {
        try using { (state) throws(MainKeyError) in
            try Self.indexKey(IndexName(table: table, column: column, epoch: epoch), in: state, of: vault)
        }
    }

    /// The same, ready to make codes with.
    func preparedIndexKey(
        table: String, column: String, epoch: UInt32
    ) throws(MainKeyError) -> HMACSHA256.PreparedKey {
        try using { (state) throws(MainKeyError) in
            let name = IndexName(table: table, column: column, epoch: epoch)
            if let known = state.indexing[name] { return known }
            let indexKey = try Self.indexKey(name, in: state, of: vault)
            let key = try secret { try HMACSHA256.PreparedKey(indexKey) }
            state.indexing[name] = key
            return key
        }
    }

    private static func indexKey(
        _ name: IndexName, in state: State, of vault: VaultID
    ) throws(MainKeyError) -> SecretBytes {
        let context = try lengthPrefixed(name.table) + lengthPrefixed(name.column)
        return try subkey(.subkey("db-index"), epoch: name.epoch, context: context, in: state, of: vault)
    }

    /// The key that the keys of encrypted files are made of.
    package func fileKey(epoch: UInt32) throws(MainKeyError) -> SecretBytes {
        try using { (state) throws(MainKeyError) in
            try Self.subkey(.subkey("file"), epoch: epoch, context: [], in: state, of: vault)
        }
    }

    private static func subkey(
        _ label: KeyLabel, epoch: UInt32, context: [UInt8], in state: State, of vault: VaultID
    ) throws(MainKeyError) -> SecretBytes {
        guard let key = state.keys[epoch] else { throw .unknownEpoch(epoch) }
        return try HMACSHA256.derive(key, salt: vault.bytes + [UInt8](bigEndian: epoch), label, context: context)
    }

    private func using<R>(_ body: (inout State) throws(MainKeyError) -> R) throws(MainKeyError) -> R {
        let result: Result<R, MainKeyError> = state.withLock { state in
            guard !state.isDestroyed else { return .failure(.locked) }
            do throws(MainKeyError) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}

/// A dictionary that forgets what was used longest ago.
///
/// The last few entries are found by comparing, which costs less than hashing two names.
struct LeastRecentlyUsed<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private static var recentLimit: Int { 4 }

    private let limit: Int
    private var clock: UInt64 = 0
    private var entries: [Key: (value: Value, usedAt: UInt64)] = [:]
    private var recent: [(key: Key, value: Value)] = []

    init(limit: Int) {
        self.limit = limit
    }

    var count: Int { entries.count }

    subscript(key: Key) -> Value? {
        mutating get {
            for index in recent.indices where recent[index].key == key { return recent[index].value }
            guard let index = entries.index(forKey: key) else { return nil }
            clock += 1
            entries.values[index].usedAt = clock
            let value = entries.values[index].value
            remember(key, value)
            return value
        }
        set {
            recent.removeAll { $0.key == key }
            guard let newValue else {
                entries[key] = nil
                return
            }
            clock += 1
            if entries[key] == nil, entries.count == limit { forgetOldest() }
            entries[key] = (newValue, clock)
            remember(key, newValue)
        }
    }

    private mutating func remember(_ key: Key, _ value: Value) {
        if recent.count == Self.recentLimit { recent.removeFirst() }
        recent.append((key, value))
    }

    /// Forgets the entry that was not used for the longest time. The last few are in use, whatever their times say.
    private mutating func forgetOldest() {
        let unused = entries.filter { entry in !recent.contains { $0.key == entry.key } }
        if let oldest = unused.min(by: { $0.value.usedAt < $1.value.usedAt }) { entries[oldest.key] = nil }
    }

    mutating func removeAll(where isUnwanted: (Key) -> Bool) {
        entries = entries.filter { !isUnwanted($0.key) }
        recent.removeAll { isUnwanted($0.key) }
    }
}
