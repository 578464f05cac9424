/// A moment: milliseconds since the beginning of 1970, UTC, without leap seconds.
///
/// The caller of a verification says what time it is; nothing here reads a clock.
public struct UnixTime: Hashable, Comparable, Sendable {
    public let milliseconds: Int64

    /// The years 1 to 9999, which dates in certificates and receipts cannot leave.
    private static let range: ClosedRange<Int64> = -62_135_596_800_000...253_402_300_799_999

    /// - Parameter milliseconds: taken to the nearest moment of the years 1 to 9999.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The last whole second that is not after this moment.
    public var seconds: Int64 {
        (milliseconds - (milliseconds % 1_000 + 1_000) % 1_000) / 1_000
    }

    public static func < (left: UnixTime, right: UnixTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The duration from `earlier` to this time.
    func since(_ earlier: UnixTime) -> Duration { .milliseconds(milliseconds - earlier.milliseconds) }
}

extension UnixTime {
    /// Reads `YYYY-MM-DDThh:mm:ss[.f]Z` with at most nine digits of fraction; what is finer than a millisecond is cut
    /// off.
    ///
    /// Returns nil for other forms of RFC 3339, and for dates that do not exist.
    public init?(rfc3339 text: some Collection<UInt8>) {
        let text = Array(text)
        guard (20...30).contains(text.count), text.last == UInt8(ascii: "Z"),
            let year = Self.number(text[0..<4]), let month = Self.number(text[5..<7]),
            let day = Self.number(text[8..<10]), let hour = Self.number(text[11..<13]),
            let minute = Self.number(text[14..<16]), let second = Self.number(text[17..<19]),
            text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let thousandths = Self.thousandths(text[19..<(text.count - 1)]),
            year > 0, (1...12).contains(month), day > 0, day <= Self.days(of: month, in: year),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = Self.daysSince1970(year, month, day)
        self.init(milliseconds: ((days * 24 + hour) * 60 + minute) * 60_000 + second * 1_000 + thousandths)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    /// - Parameter text: nothing, or a full stop and 1 to 9 digits.
    private static func thousandths(_ text: ArraySlice<UInt8>) -> Int64? {
        guard let point = text.first else { return 0 }
        guard point == UInt8(ascii: "."), text.count > 1, number(text.dropFirst()) != nil else { return nil }
        let digits = Array(text.dropFirst().prefix(3)) + Array(repeating: UInt8(ascii: "0"), count: 2)
        return number(digits[..<3])
    }

    private static func days(of month: Int64, in year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days since 1970 in the Gregorian calendar, whose years are taken to begin in March, so that the odd day comes
    /// last.
    private static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1 - 719_468
    }
}
