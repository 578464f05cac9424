import SCALE

/// One action with all its events, as the log keeps it.
package struct HistoryEntry: Hashable, Sendable {
    /// UTC, `YYYY-MM-DD HH:MM:SS.fraction`.
    package var timestamp: String
    package var events: [Event]

    package var isDangerous: Bool { events.contains(where: \.isDangerous) }
}

extension HistoryEntry: ScaleCodable {
    package init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        timestamp = try decoder.string()
        events = try decoder.sequence { (decoder) throws(ScaleError) in try Event(from: &decoder) }
    }

    package func encode(to encoder: inout ScaleEncoder) {
        encoder.string(timestamp)
        encoder.sequence(events) { $0.value($1) }
    }
}
