#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment, as RFC 3339 writes it.
package struct Timestamp: Hashable, Sendable {
    package let date: Date

    package init(_ date: Date) {
        self.date = date
    }

    /// - Returns: nil for anything but a full date and time with an offset.
    package init?(rfc3339 text: String) {
        let whole = Date.ISO8601FormatStyle()
        guard let date = (try? whole.parse(text)) ?? (try? whole.includingFractionalSeconds.parse(text)) else {
            return nil
        }
        self.date = date
    }

    /// The moment in UTC, to the second.
    package var rfc3339: String { date.formatted(Date.ISO8601FormatStyle()) }
}

extension Date.ISO8601FormatStyle {
    fileprivate var includingFractionalSeconds: Self { Self(includingFractionalSeconds: true) }
}
