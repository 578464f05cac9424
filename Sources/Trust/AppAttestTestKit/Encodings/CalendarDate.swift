import AppAttest

/// A moment as the Gregorian calendar writes it, UTC.
struct CalendarDate {
    enum Part { case month, day, hour, minute, second }

    let year: Int64
    private let month: Int64
    private let day: Int64
    private let secondOfDay: Int64
    private let milliseconds: Int64

    init(_ time: UnixTime) {
        milliseconds = time.milliseconds - time.seconds * 1_000
        secondOfDay = (time.seconds % 86_400 + 86_400) % 86_400
        // Days since 0000-03-01, in eras of 400 years; the year is taken to begin in March.
        let days = (time.seconds - secondOfDay) / 86_400 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var twoDigitYear: String { Self.padded(year % 100, 2) }

    /// A part of the date in two digits.
    func digits(_ part: Part) -> String {
        switch part {
        case .month: Self.padded(month, 2)
        case .day: Self.padded(day, 2)
        case .hour: Self.padded(secondOfDay / 3_600, 2)
        case .minute: Self.padded(secondOfDay / 60 % 60, 2)
        case .second: Self.padded(secondOfDay % 60, 2)
        }
    }

    /// The date in RFC 3339 with three digits of fraction.
    var rfc3339: String {
        let date = "\(Self.padded(year, 4))-\(digits(.month))-\(digits(.day))"
        let time = "\(digits(.hour)):\(digits(.minute)):\(digits(.second))"
        return "\(date)T\(time).\(Self.padded(milliseconds, 3))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension UnixTime {
    /// The time as receipts write it: RFC 3339, UTC, three digits of fraction.
    public var rfc3339: String { CalendarDate(self).rfc3339 }

    public func adding(seconds: Int64) -> UnixTime { UnixTime(milliseconds: milliseconds + seconds * 1_000) }
}
