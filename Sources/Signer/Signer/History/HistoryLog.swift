import BasicFoundation
import SCALE
import Substrate
import TextForms

/// The log inside a transaction: entries by order, a chain digest that shows whether any was changed.
///
/// Opening a vault compares the rows of the log with its ``Inventory`` and opens none of them; the chain is walked
/// where the log is shown or verified.
package enum HistoryLog {
    private static let domain = Array("cold-vault/log/v1".utf8)

    /// The digest of an empty log.
    package static let emptyDigest = Blake2b.hash(domain, size: 32)

    /// h = BLAKE2b-256(h ‖ order ‖ length ‖ entry).
    package static func extend(_ digest: [UInt8], order: UInt32, entry: [UInt8]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(digest)
        encoder.integer(order)
        encoder.byteSequence(entry)
        return Blake2b.hash(encoder.bytes, size: 32)
    }

    package static func key(order: UInt32) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(order)
        return encoder.bytes
    }

    /// Writes one entry behind the last. An entry is never earlier than the one before it: a clock that went back is
    /// written as the last time, and noted.
    static func append(_ events: [Event], at date: Date, to trees: MutableTrees) throws {
        guard !events.isEmpty else { return }
        let (count, digest) = try trees.logState()
        let last = try count > 0 ? storedEntry(count - 1, trees).timestamp : nil
        try put(HistoryEntry(events, at: date, notBefore: last), order: count, behind: digest, in: trees)
    }

    /// Empties the log and begins it anew with an entry that says what was there.
    ///
    /// - Throws: `databaseDamaged` where the log is not the one that was written: nothing is taken away then.
    static func clear(at date: Date, in trees: MutableTrees) throws {
        let (count, digest) = try trees.logState()
        let entries = try stored(trees).verified()
        let events: [Event] = [.historyCleared, .systemEntry(note(of: digest, count: count))]
        try trees.removeAll(.history)
        let entry = HistoryEntry(events, at: date, notBefore: entries.last?.entry.timestamp)
        try put(entry, order: 0, behind: emptyDigest, in: trees)
    }

    private static func note(of digest: [UInt8], count: UInt32) -> String {
        "previous log: \(count) entries, digest \(Hex.encode(digest))"
    }

    /// How many entries a log had when it was cleared with this digest.
    ///
    /// - Parameter first: the first entry of the log that follows it.
    /// - Returns: nil for another digest, and for a log that follows none.
    static func countCleared(with digest: [UInt8], notedIn first: HistoryEntry?) -> Int? {
        guard let first, first.events.contains(.historyCleared) else { return nil }
        for case .systemEntry(let text) in first.events {
            let count = text.split(separator: " ").compactMap { UInt32($0) }.first
            if let count, text == note(of: digest, count: count) { return Int(count) }
        }
        return nil
    }

    private static func put(
        _ entry: HistoryEntry, order: UInt32, behind digest: [UInt8], in trees: MutableTrees
    ) throws {
        let bytes = entry.scaleEncoded
        try trees.put(.history, key: key(order: order), value: bytes)
        try trees.changeInventory { $0.log = extend(digest, order: order, entry: bytes) }
    }

    private static func storedEntry(_ order: UInt32, _ trees: Trees) throws -> HistoryEntry {
        guard let bytes = try entryBytes(order, trees) else {
            throw SignerError.databaseDamaged(.historyEntry(order: order))
        }
        return try decode(bytes, order: order)
    }

    static func entryBytes(_ order: UInt32, _ trees: Trees) throws -> [UInt8]? {
        try trees.value(.history, key(order: order))
    }

    static func decode(_ bytes: [UInt8], order: UInt32) throws -> HistoryEntry {
        do {
            return try HistoryEntry(scaleEncoded: bytes)
        } catch {
            throw SignerError.databaseDamaged(.historyEntry(order: order))
        }
    }

    /// All entries as they are stored, with the digest that they are to have.
    static func stored(_ trees: Trees) throws -> StoredLog {
        guard let inventory = try trees.inventory() else { return try FirstForm.log(trees) }
        return StoredLog(pairs: try trees.pairs(.history), digest: inventory.log)
    }
}

/// The entries of a log as they were read in one transaction, to be checked after it.
package struct StoredLog {
    /// The pairs in byte order of their keys.
    var pairs: [(key: [UInt8], value: [UInt8])]
    /// What was sealed beside them.
    var digest: [UInt8]

    package init(pairs: [(key: [UInt8], value: [UInt8])], digest: [UInt8]) {
        self.pairs = pairs
        self.digest = digest
    }

    /// All entries, oldest first, with the digest behind each; the last digest must be the stored one.
    @discardableResult
    package func verified() throws -> [(entry: HistoryEntry, digest: [UInt8])] {
        let bytes = Dictionary(pairs.map { ($0.key, $0.value) }) { first, _ in first }
        var digest = HistoryLog.emptyDigest
        var entries: [(HistoryEntry, [UInt8])] = []
        for order in 0..<UInt32(pairs.count) {
            guard let bytes = bytes[HistoryLog.key(order: order)] else {
                throw SignerError.databaseDamaged(.historyEntry(order: order))
            }
            digest = HistoryLog.extend(digest, order: order, entry: bytes)
            entries.append((try HistoryLog.decode(bytes, order: order), digest))
        }
        guard digest == self.digest else { throw SignerError.databaseDamaged(.log) }
        return entries
    }

    /// The checksum that people compare: upper-case hex of the CRC-32's little-endian bytes.
    package var shownChecksum: String {
        let crc = CRC32.of(pairs.flatMap { [$0.key, $0.value] })
        return withUnsafeBytes(of: crc.littleEndian) { Hex.encode($0) }.uppercased()
    }
}

extension HistoryEntry {
    /// What happened at `date`, or, where that is before `last`, what is said to have happened then.
    fileprivate init(_ events: [Event], at date: Date, notBefore last: String?) {
        self.init(timestamp: Timestamp.text(date), events: events)
        guard let last, timestamp < last else { return }
        self.events.append(.systemEntry("clock went back: \(timestamp)"))
        timestamp = last
    }
}

extension MutableTrees {
    /// How many entries the log has, and its digest.
    fileprivate func logState() throws -> (count: UInt32, digest: [UInt8]) {
        guard let inventory = try inventory(), let count = UInt32(exactly: inventory[.history].count) else {
            throw SignerError.databaseDamaged(.tree(Tree.history.rawValue))
        }
        return (count, inventory.log)
    }
}
