import BasicFoundation
import TextForms

extension UTCTimestamp {
    /// The moment of a date to the nearest microsecond, within the years 0 to 9999.
    package init(_ date: Date) { self.init(timeIntervalSince1970: date.timeIntervalSince1970) }
}

extension Date {
    package init(_ time: UTCTimestamp) { self.init(timeIntervalSince1970: time.timeIntervalSince1970) }

    /// The date so many milliseconds after 1970 began, within the years 0 to 9999.
    package init(milliseconds: Int64) { self.init(UTCTimestamp(milliseconds: milliseconds)) }

    /// Milliseconds since 1970; what is finer is cut off.
    package var milliseconds: Int64 { UTCTimestamp(self).milliseconds }
}
