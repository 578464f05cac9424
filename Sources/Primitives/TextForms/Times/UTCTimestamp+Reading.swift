/// Why a text is no time of RFC 3339.
package struct TimestampError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first byte that is wrong, or the first byte of the field that is.
    package let offset: Int
    /// What has to stand there.
    package let expected: String

    package var description: String { "at byte \(offset): \(expected) expected" }
}

extension UTCTimestamp {
    /// Which texts are read.
    package enum Form: Sendable {
        /// All that RFC 3339 has: offsets from UTC, `t` and `z`, any number of digits of a fraction (those behind the
        /// nanoseconds are dropped), and leap seconds, each as the second after it.
        case any
        /// `YYYY-MM-DDThh:mm:ss[.f]Z` alone, with one to nine digits of fraction, no leap second, and no year 0.
        case utc
    }

    /// Reads a time of RFC 3339.
    package init(rfc3339 text: some StringProtocol, _ form: Form = .any) throws(TimestampError) {
        try self.init(rfc3339: Array(text.utf8), form)
    }

    /// Reads a time of RFC 3339 from its ASCII.
    package init(rfc3339 bytes: some Sequence<UInt8>, _ form: Form = .any) throws(TimestampError) {
        var reader = TimestampReader(bytes: Array(bytes), form: form)
        self = try reader.timestamp()
    }
}

private struct TimestampReader {
    let bytes: [UInt8]
    let form: UTCTimestamp.Form
    private var offset = 0

    init(bytes: [UInt8], form: UTCTimestamp.Form) {
        self.bytes = bytes
        self.form = form
    }

    mutating func timestamp() throws(TimestampError) -> UTCTimestamp {
        let date = try date()
        try expect("T", or: "t")
        let hour = try number(0...23, "an hour from 00 to 23")
        try expect(":")
        let minute = try number(0...59, "a minute from 00 to 59")
        try expect(":")
        let startOfSecond = offset
        let second = try number(0...(form == .any ? 60 : 59), "a second from 00 to 59")
        let nanoseconds = try fraction()
        let minutesAhead = try minutesAheadOfUTC()
        guard offset == bytes.count else { throw expected("the end") }
        let minuteInUTC = date.daysSince1970 * 1_440 + hour * 60 + minute - minutesAhead
        // Leap seconds end a day of UTC.
        guard second < 60 || minuteInUTC.flooredQuotient(dividingBy: 1_440).remainder == 1_439 else {
            throw TimestampError(offset: startOfSecond, expected: "a second from 00 to 59")
        }
        let seconds = minuteInUTC * 60 + second
        // An offset may lead out of the years that can be written.
        guard (UTCTimestamp.earliest.seconds...UTCTimestamp.latest.seconds).contains(seconds) else {
            throw TimestampError(offset: 0, expected: "a time of the years 0000 to 9999 in UTC")
        }
        return UTCTimestamp(seconds: seconds, nanoseconds: nanoseconds)
    }

    private mutating func date() throws(TimestampError) -> CivilDate {
        let year = try number((form == .any ? 0 : 1)...9_999, digits: 4, "a year of four digits")
        try expect("-")
        let month = try number(1...12, "a month from 01 to 12")
        try expect("-")
        let startOfDay = offset
        let day = try number(1...31, "a day of that month")
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw TimestampError(offset: startOfDay, expected: "a day of that month")
        }
        return date
    }

    /// Reads the fraction of a second, in nanoseconds.
    private mutating func fraction() throws(TimestampError) -> Int {
        guard take(".") else { return 0 }
        guard let first = digit() else { throw expected("a digit") }
        var value = first * 100_000_000
        var weight = 10_000_000
        while let digit = digit() {
            guard weight > 0 || form == .any else {
                offset -= 1
                throw expected("at most nine digits")
            }
            value += digit * weight
            weight /= 10
        }
        return value
    }

    private mutating func minutesAheadOfUTC() throws(TimestampError) -> Int {
        if take("Z") { return 0 }
        guard form == .any else { throw expected("Z") }
        if take("z") { return 0 }
        let isBehind = take("-")
        guard isBehind || take("+") else { throw expected("Z or an offset from UTC") }
        let hours = try number(0...23, "hours from 00 to 23")
        try expect(":")
        let minutes = hours * 60 + (try number(0...59, "minutes from 00 to 59"))
        return isBehind ? -minutes : minutes
    }

    private mutating func number(
        _ range: ClosedRange<Int>, digits: Int = 2, _ what: String
    ) throws(TimestampError) -> Int {
        let start = offset
        var number = 0
        for _ in 0..<digits {
            guard let digit = digit() else { throw expected("a digit") }
            number = number * 10 + digit
        }
        guard range.contains(number) else { throw TimestampError(offset: start, expected: what) }
        return number
    }

    private mutating func digit() -> Int? {
        guard offset < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[offset]) else { return nil }
        defer { offset += 1 }
        return Int(bytes[offset] - UInt8(ascii: "0"))
    }

    private mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: mark) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ mark: Unicode.Scalar, or other: Unicode.Scalar? = nil) throws(TimestampError) {
        if take(mark) { return }
        guard form == .any, let other, take(other) else { throw expected("\"\(mark)\"") }
    }

    private func expected(_ what: String) -> TimestampError { TimestampError(offset: offset, expected: what) }
}
