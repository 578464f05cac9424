/// Times as the JSON file has them (RFC 3339), and as milliseconds since 1970.
enum Timestamp {
    private static let millisecondsInDay: Int64 = 86_400_000

    package static func text(_ milliseconds: Int64) -> String {
        var bytes: [UInt8] = []
        append(milliseconds, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends a time in UTC with three digits of a fraction: `2026-02-17T00:00:00.000Z`.
    ///
    /// - Parameter milliseconds: of the years 0 to 9999; others are written as the nearest of them.
    static func append(_ milliseconds: Int64, to bytes: inout [UInt8]) {
        let inRange = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let day = inRange.flooredQuotient(millisecondsInDay)
        let rest = inRange - day * millisecondsInDay
        let date = date(ofDay: day)
        append(date.year / 100, "", to: &bytes)
        append(date.year % 100, "-", to: &bytes)
        append(date.month, "-", to: &bytes)
        append(date.day, "T", to: &bytes)
        append(rest / 3_600_000, ":", to: &bytes)
        append(rest / 60_000 % 60, ":", to: &bytes)
        append(rest / 1_000 % 60, ".", to: &bytes)
        bytes.append(UInt8(ascii: "0") + UInt8(rest % 1_000 / 100))
        append(rest % 100, "Z", to: &bytes)
    }

    /// Appends two digits, and what separates them from the next.
    private static func append(_ number: Int64, _ separator: StaticString, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "0") + UInt8(number / 10))
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
        separator.withUTF8Buffer { bytes += $0 }
    }

    /// Reads any time of RFC 3339; digits behind the milliseconds are dropped. A leap second is the second after it.
    static func milliseconds(_ text: String) -> Int64? {
        var reader = Reader(bytes: Array(text.utf8)[...])
        guard let year = reader.number(4), reader.take("-"), let month = reader.number(2), reader.take("-"),
            let day = reader.number(2), reader.take("T") || reader.take("t"), let hour = reader.number(2),
            reader.take(":"), let minute = reader.number(2), reader.take(":"), let second = reader.number(2),
            let fraction = reader.fraction(), let offset = reader.offset(), reader.bytes.isEmpty,
            1...12 ~= month, 1...31 ~= day, hour < 24, minute < 60, second <= 60
        else { return nil }
        let number = Self.day(year, month, day)
        guard date(ofDay: number) == (year, month, day) else { return nil }
        return number * millisecondsInDay + (hour * 3_600 + (minute - offset) * 60 + second) * 1_000 + fraction
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ character: Unicode.Scalar) -> Bool {
            guard let byte = bytes.first, byte == UInt8(ascii: character) else { return false }
            bytes.removeFirst()
            return true
        }

        mutating func digit() -> Int64? {
            guard let byte = bytes.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            bytes.removeFirst()
            return Int64(byte - UInt8(ascii: "0"))
        }

        mutating func number(_ digits: Int) -> Int64? {
            var number: Int64 = 0
            for _ in 0..<digits {
                guard let digit = digit() else { return nil }
                number = number * 10 + digit
            }
            return number
        }

        /// Reads the fraction of a second, in milliseconds.
        mutating func fraction() -> Int64? {
            guard take(".") else { return 0 }
            guard var value = digit().map({ $0 * 100 }) else { return nil }
            var weight: Int64 = 10
            while let digit = digit() {
                value += digit * weight
                weight /= 10
            }
            return value
        }

        /// Reads the offset from UTC, in minutes.
        mutating func offset() -> Int64? {
            if take("Z") || take("z") { return 0 }
            let isNegative = take("-")
            guard isNegative || take("+"), let hours = number(2), take(":"), let minutes = number(2), hours < 24,
                minutes < 60
            else { return nil }
            return (hours * 60 + minutes) * (isNegative ? -1 : 1)
        }
    }

    // The proleptic Gregorian calendar in eras of 400 years that begin in March, so that the leap day is the last of a
    // year.

    private static func day(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted.flooredQuotient(400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(ofDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth + (shiftedMonth < 10 ? 3 : -9)
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        )
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : (self + 1) / divisor - 1
    }
}
