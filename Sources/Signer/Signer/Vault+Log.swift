import BasicFoundation
import Substrate

/// What a person does with the log.
///
/// Source: `signer-product` sections 4.3 and 4.4.
extension Vault {
    /// Writes a note of the person into the log. An empty one changes nothing.
    ///
    /// - Parameter text: 1 to 1,024 characters (Unicode scalars), of which none but newline is a control character.
    /// - Throws: ``SignerError/commentTooLong(limit:)``, ``SignerError/commentInvalid``.
    public func addComment(_ text: String) throws {
        guard !text.isEmpty else { return }
        try Self.checkComment(text)
        try database.write { try HistoryLog.append([.userEntry(text)], at: now(), to: $0) }
    }

    /// Checks what a person writes into the log, a comment of a signature too.
    ///
    /// - Throws: ``SignerError/commentTooLong(limit:)``, ``SignerError/commentInvalid``.
    package static func checkComment(_ text: String) throws {
        guard text.unicodeScalars.count <= Self.commentLimit else {
            throw SignerError.commentTooLong(limit: Self.commentLimit)
        }
        guard text.unicodeScalars.allSatisfy({ $0 == "\n" || $0.properties.generalCategory != .control }) else {
            throw SignerError.commentInvalid
        }
    }

    /// Removes all entries, in one transaction. The first entry of the new log tells how many there were and the digest
    /// of the log that is gone, so that what was noted of it can still be compared.
    ///
    /// - Throws: ``SignerError/databaseDamaged(_:)`` where the log is not the one that was written; it stays then.
    public func clearLog() throws {
        try database.write { try HistoryLog.clear(at: now(), in: $0) }
    }

    /// One entry with its events, in which what was signed is decoded again.
    ///
    /// - Parameter order: the place of the entry, from 0.
    /// - Throws: ``SignerError/historyEntryNotFound(_:)``. An event whose network or metadata are gone says so in its
    ///   ``LoggedEvent/content`` and keeps no other from being shown.
    public func logDetails(order: Int) throws -> LogDetails {
        let (log, snapshot) = try database.read { trees in
            try trees.checkPublicTrees()
            return (try HistoryLog.stored(trees), try TreesSnapshot(trees))
        }
        let entries = try log.verified()
        guard entries.indices.contains(order) else { throw SignerError.historyEntryNotFound("\(order)") }
        let decoder = LoggedContentDecoder(PayloadProcessor(trees: snapshot, cache: metadataCache, phrases: nil))
        let (entry, digest) = entries[order]
        return LogDetails(
            order: order, timestamp: entry.timestamp, digest: digest,
            events: try entry.events.map { LoggedEvent(event: $0, content: try decoder.content(of: $0)) })
    }

    /// The same for a place as a person types it.
    ///
    /// - Throws: ``SignerError/historyEntryNotFound(_:)`` also for what is no decimal number.
    public func logDetails(order text: String) throws -> LogDetails {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let order = Int(text) else {
            throw SignerError.historyEntryNotFound(text)
        }
        return try logDetails(order: order)
    }
}
