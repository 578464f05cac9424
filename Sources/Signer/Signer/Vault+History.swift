import Substrate
import TextForms

extension Vault {
    /// One entry of the log with its place and the digest of the log up to it.
    public struct LoggedEntry: Sendable {
        /// Its place in the log, from 0.
        public var order: Int
        package var entry: HistoryEntry
        /// 32 bytes.
        public var digest: [UInt8]

        /// When it was written, in UTC, as the log holds it.
        public var timestamp: String { entry.timestamp }
        /// The events, each as its name and the one field that a list shows.
        public var events: [String] { entry.events.map { "\($0.name) \($0.essence)" } }
        /// Whether a screen shows it in the colour of danger.
        public var isDangerous: Bool { entry.isDangerous }
    }

    /// What a check of the log found.
    public struct LogVerdict: Sendable {
        /// How many entries the log has.
        public var count: Int
        /// Digest of the whole log, 32 bytes: to be written down and compared later.
        public var digest: [UInt8]
        /// CRC-32 in the form that people compare.
        public var checksum: String
        /// Number of entries at which the log had the digest asked for; nil if it never had.
        public var containsAt: Int?
        /// How many entries the log before this one had, if it had the digest asked for when it was cleared; else nil.
        package var clearedAt: Int?
    }

    /// All entries, oldest first. The log is checked against its stored digest on the way.
    public func log() throws -> [LoggedEntry] {
        try database.read { try HistoryLog.stored($0) }.verified().enumerated().map { order, pair in
            LoggedEntry(order: order, entry: pair.entry, digest: pair.digest)
        }
    }

    /// Checks that the log is the one that was written.
    ///
    /// - Parameter earlier: a digest noted before: did the log only grow since?
    /// - Throws: ``SignerError/databaseDamaged(_:)`` where it is not.
    public func verifyLog(contains earlier: [UInt8]? = nil) throws -> LogVerdict {
        let log = try database.read { try HistoryLog.stored($0) }
        let entries = try log.verified()
        let digests = [HistoryLog.emptyDigest] + entries.map(\.digest)
        return LogVerdict(
            count: entries.count, digest: log.digest, checksum: log.shownChecksum,
            containsAt: earlier.flatMap { digests.firstIndex(of: $0) },
            clearedAt: earlier.flatMap { HistoryLog.countCleared(with: $0, notedIn: entries.first?.entry) })
    }

    /// Reads a digest that was noted, as a person types it.
    ///
    /// - Returns: 32 bytes.
    /// - Throws: ``SignerError/digestMalformed``.
    package static func notedDigest(_ text: String) throws -> [UInt8] {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 1, let bytes = Hex.decode(words[0]), bytes.count == 32 else {
            throw SignerError.digestMalformed
        }
        return bytes
    }

    /// Checks that the log is the one that was written, and that it has only grown since it had a digest, or since it
    /// was cleared with it.
    ///
    /// - Throws: ``SignerError/logDiffers`` where it never had it, ``SignerError/databaseDamaged(_:)``.
    package func verifyLog(grownSince earlier: [UInt8]) throws -> LogVerdict {
        let verdict = try verifyLog(contains: earlier)
        guard verdict.containsAt != nil || verdict.clearedAt != nil else { throw SignerError.logDiffers }
        return verdict
    }
}
