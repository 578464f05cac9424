import BasicFoundation
import TextForms

/// A moment, as RFC 3339 writes it.
package struct Timestamp: Hashable, Sendable {
    package let date: Date

    package init(_ date: Date) {
        self.date = date
    }

    /// - Returns: nil for anything but a full date and time with an offset.
    package init?(rfc3339 text: String) {
        guard let time = try? UTCTimestamp(rfc3339: text) else { return nil }
        date = Date(timeIntervalSince1970: time.timeIntervalSince1970)
    }

    /// The moment in UTC, to the second.
    package var rfc3339: String {
        UTCTimestamp(timeIntervalSince1970: date.timeIntervalSince1970).rfc3339(.none)
    }
}
