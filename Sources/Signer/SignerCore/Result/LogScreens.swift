import Signer
import Substrate
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

/// A part of the log, newest first.
package struct LogData: Sendable, Encodable {
    /// Entries of a page.
    package static let pageSize = 20

    /// How many entries there are.
    package var count: Int
    /// How many of them are newer than those that are shown.
    package var newer: Int
    /// How many of them are older than those that are shown.
    package var older: Int
    /// Those that are shown.
    package var entries: [LogRow]
}

/// One entry of the log, with what was signed decoded again.
package struct LogDetailsData: Sendable, Encodable {
    /// One of the events of an entry, as the page draws it.
    package struct Event: Sendable {
        /// What kind of event it is.
        package var name: String
        /// The one field that a list shows.
        package var text: String
        /// Whether it is shown in the colour of danger.
        package var isDangerous: Bool
        /// What was signed, or was to be.
        package var content: LoggedEvent.Content
    }

    /// Its place in the log, from 0.
    package var order: Int
    /// When it was written, in UTC.
    package var timestamp: String
    /// The digest of the log up to it, in hex.
    package var digest: String
    /// What happened.
    package var events: [Event]

    init(_ details: LogDetails) {
        order = details.order
        timestamp = details.timestamp
        digest = Hex.encode(details.digest)
        events = details.events.map {
            Event(name: $0.name, text: $0.essence, isDangerous: $0.isDangerous, content: $0.content)
        }
    }
}

extension LogDetailsData.Event: Encodable {
    private enum Key: String, CodingKey { case name, text, isDangerous, cards, problem }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(name, forKey: .name)
        try container.encode(text, forKey: .text)
        try container.encode(isDangerous, forKey: .isDangerous)
        switch content {
        case .none: break
        case .decoded(let answer):
            try container.encode(answer.cards.ordered.flatMap(\.cards).map(\.kind.line), forKey: .cards)
        case .undecodable(let problem): try container.encode("\(problem.reportedCode): \(problem)", forKey: .problem)
        }
    }
}

/// An earlier digest that the log had.
package struct LogComparison: Sendable, Encodable {
    /// The digest in hex.
    package var earlier: String
    /// How many entries the log had then.
    package var containsAt: Int
    /// Whether it was cleared then.
    package var wasCleared: Bool

    init(earlier: [UInt8], containsAt: Int, wasCleared: Bool) {
        (self.earlier, self.containsAt, self.wasCleared) = (Hex.encode(earlier), containsAt, wasCleared)
    }
}

/// The log's checksum and digest, after its chain was checked.
package struct LogRightData: Sendable, Encodable {
    /// CRC-32 in the form that people compare.
    package var checksum: String
    /// The digest of the whole log in hex.
    package var digest: String
    /// How many entries there are.
    package var count: Int
    /// What it was compared with; nil where it was not.
    package var compared: LogComparison?

    init(_ verdict: Vault.LogVerdict, compared: LogComparison?) {
        self.compared = compared
        checksum = verdict.checksum
        digest = Hex.encode(verdict.digest)
        count = verdict.count
    }
}
