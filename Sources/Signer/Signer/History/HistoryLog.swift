import Foundation
import SCALE
import Substrate
import TextForms

/// The log inside a transaction: entries by order, a chain digest that shows whether any was changed.
enum HistoryLog {
    private static let domain = Array("cold-vault/log/v1".utf8)

    /// The digest of an empty log.
    static let emptyDigest = Blake2b.hash(domain, size: 32)

    /// h = BLAKE2b-256(h ‖ order ‖ length ‖ entry).
    static func extend(_ digest: [UInt8], order: UInt32, entry: [UInt8]) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.raw(digest)
        encoder.integer(order)
        encoder.byteSequence(entry)
        return Blake2b.hash(encoder.bytes, size: 32)
    }

    static func key(order: UInt32) -> [UInt8] {
        var encoder = ScaleEncoder()
        encoder.integer(order)
        return encoder.bytes
    }

    /// Writes one entry behind the last. An entry is never earlier than the one before it: a clock that went back is written
    /// as the last time, and noted.
    static func append(_ events: [Event], at date: Date, to trees: MutableTrees) throws {
        guard !events.isEmpty else { return }
        let order = UInt32(try trees.count(.history))
        var entry = HistoryEntry(timestamp: Timestamp.text(date), events: events)
        if order > 0, let last = try entryBytes(order - 1, trees) {
            let previous = try decode(last, order: order - 1).timestamp
            if entry.timestamp < previous {
                entry.events.append(.systemEntry("clock went back: \(entry.timestamp)"))
                entry.timestamp = previous
            }
        }
        let bytes = entry.scaleEncoded
        try trees.put(.history, key(order: order), bytes)
        try trees.store(.log, extend(try trees.stored(.log) ?? emptyDigest, order: order, entry: bytes))
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

    /// All entries, oldest first, with the digest behind each; the last digest must be the stored one.
    static func verified(_ trees: Trees) throws -> [(entry: HistoryEntry, digest: [UInt8])] {
        var digest = emptyDigest
        var entries: [(HistoryEntry, [UInt8])] = []
        for order in 0..<UInt32(try trees.count(.history)) {
            guard let bytes = try entryBytes(order, trees) else {
                throw SignerError.databaseDamaged(.historyEntry(order: order))
            }
            digest = extend(digest, order: order, entry: bytes)
            entries.append((try decode(bytes, order: order), digest))
        }
        guard try trees.stored(.log) ?? emptyDigest == digest else { throw SignerError.databaseDamaged(.log) }
        return entries
    }

    /// The checksum that people compare: upper-case hex of the CRC-32's little-endian bytes.
    static func shownChecksum(_ trees: Trees) throws -> String {
        shownChecksum(pairs: try trees.pairs(.history))
    }

    static func shownChecksum(pairs: [(key: [UInt8], value: [UInt8])]) -> String {
        let crc = CRC32.of(pairs.flatMap { [$0.key, $0.value] })
        return withUnsafeBytes(of: crc.littleEndian) { Hex.encode($0) }.uppercased()
    }
}
