import SCALE

/// One action with all its events, as the log keeps it.
public struct HistoryEntry: Hashable, Sendable {
    /// UTC, `YYYY-MM-DD HH:MM:SS.fraction`.
    public var timestamp: String
    public var events: [Event]

    public var isDangerous: Bool { events.contains(where: \.isDangerous) }
}

extension HistoryEntry: ScaleCodable {
    public init(from decoder: inout ScaleDecoder) throws(ScaleError) {
        timestamp = try decoder.string()
        events = try decoder.sequence { (decoder) throws(ScaleError) in try Event(from: &decoder) }
    }

    public func encode(to encoder: inout ScaleEncoder) {
        encoder.string(timestamp)
        encoder.sequence(events) { $0.value($1) }
    }
}
