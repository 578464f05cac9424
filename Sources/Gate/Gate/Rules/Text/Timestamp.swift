internal import TextForms

/// A moment in whole milliseconds: what the key file, PostgreSQL and the clients of the gate have in common.
///
/// A `Date` has no exact milliseconds, and takes a library that the gate does without.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the beginning of 1970, UTC, without leap seconds.
    package let milliseconds: Int64

    /// - Parameter milliseconds: since the beginning of 1970.
    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Whether a moment is before another.
    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp {
    /// The moment as the key file, the log and operators have it: RFC 3339 with milliseconds, in UTC.
    package var text: String { UTCTimestamp(milliseconds: milliseconds).rfc3339() }

    /// Appends the same text.
    func append(to bytes: inout [UInt8]) { UTCTimestamp(milliseconds: milliseconds).append(to: &bytes) }

    /// Reads any time of RFC 3339; digits behind the milliseconds are dropped.
    init?(rfc3339 text: String) {
        guard let time = try? UTCTimestamp(rfc3339: text) else { return nil }
        self.init(milliseconds: time.milliseconds)
    }

    /// The last whole second that is not after this moment.
    var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds + 1) / 1_000 - 1 }

    /// The moment so much later, or the last one that there is.
    static func + (time: Timestamp, span: Duration) -> Timestamp {
        let (sum, overflow) = time.milliseconds.addingReportingOverflow(span.milliseconds)
        return Timestamp(milliseconds: overflow ? (span < .zero ? .min : .max) : sum)
    }

    /// The moment so much earlier, or the first one that there is.
    static func - (time: Timestamp, span: Duration) -> Timestamp { time + (.zero - span) }

    /// The span from `earlier` to a moment.
    static func - (time: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(time.milliseconds) - .milliseconds(earlier.milliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded up, so that a wait never ends before its time.
    var milliseconds: Int64 {
        // Of a negative span both parts are negative: without its rest it is rounded up already.
        let (thousandths, rest) = components.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        return components.seconds * 1_000 + thousandths + (rest > 0 ? 1 : 0)
    }

    /// The duration in seconds, rounded up.
    var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
