import Signer
import TextForms

/// One entry of the log in a list.
package struct LogRow: Sendable, Encodable {
    /// Its place in the log, from 0.
    package var order: Int
    /// When it was written, in UTC.
    package var timestamp: String
    /// The events, each as its name and the one field that a list shows.
    package var events: [String]
    /// Whether it is shown in the colour of danger.
    package var isDangerous: Bool

    init(_ stored: (order: Int, entry: HistoryEntry)) {
        order = stored.order
        timestamp = stored.entry.timestamp
        events = stored.entry.events.map { "\($0.name) \($0.essence)" }
        isDangerous = stored.entry.isDangerous
    }
}

/// The log, newest first.
package struct LogData: Sendable, Encodable {
    /// Entries of a page.
    package static let pageSize = 20

    /// How many entries there are.
    package var count: Int
    /// The newest of them.
    package var entries: [LogRow]
}

/// One entry of the log with its cards.
package struct LogDetailsData: Sendable, Encodable {
    /// An event.
    package struct Event: Sendable, Encodable {
        /// The name and the one field that a list shows.
        package var text: String
    }

    /// The entry.
    package var entry: LogRow
    /// What was signed, decoded again where that is possible.
    package var cards: [String]
}

/// The log's checksum and digest.
package struct LogRightData: Sendable, Encodable {
    /// CRC-32 in the form that people compare.
    package var checksum: String
    /// The digest of the whole log in hex.
    package var digest: String
    /// How many entries there are.
    package var count: Int

    init(_ verdict: Vault.LogVerdict) {
        checksum = verdict.checksum
        digest = Hex.encode(verdict.digest)
        count = verdict.count
    }
}
