import Foundation
import TestSupport
import Testing

@testable import TextForms

@Suite("Times of RFC 3339")
struct UTCTimestampTests {
    @Test(
        "the examples of RFC 3339 section 5.8 are read",
        arguments: [
            ("1985-04-12T23:20:50.52Z", 482_196_050, 520_000_000), ("1996-12-19T16:39:57-08:00", 851_042_397, 0),
            // Its leap seconds are the second after them.
            ("1990-12-31T23:59:60Z", 662_688_000, 0), ("1990-12-31T15:59:60-08:00", 662_688_000, 0),
            ("1937-01-01T12:00:27.87+00:20", -1_041_337_173, 870_000_000),
        ])
    func examples(text: String, seconds: Int, nanoseconds: Int) throws {
        let time = try UTCTimestamp(rfc3339: text)
        #expect(time.seconds == seconds && time.nanoseconds == nanoseconds)
    }

    @Test("every day of 400 years, and days of all the others, are those of Foundation's calendar")
    func calendar() throws {
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let days = Array(-11_000...135_100) + Array(stride(from: -141_427, to: 2_932_897, by: 97))
        for day in days {
            let date = CivilDate(daysSince1970: day)
            #expect(date.daysSince1970 == day)
            let parts = calendar.dateComponents(
                [.year, .month, .day], from: Date(timeIntervalSince1970: Double(day) * 86_400))
            try #require(parts.year == date.year && parts.month == date.month && parts.day == date.day)
        }
    }

    @Test("what the writer writes, Foundation and the reader read")
    func roundTrip() throws {
        var random = SplitMix64(state: 3)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<2_000 {
            let time = UTCTimestamp(
                seconds: Int.random(in: 0...4_102_444_800, using: &random),
                nanoseconds: Int.random(in: 0..<1_000_000_000, using: &random))
            for form in [UTCTimestamp.Form.any, .utc] {
                #expect(try UTCTimestamp(rfc3339: time.rfc3339(.nanoseconds), form) == time)
                #expect(try UTCTimestamp(rfc3339: time.rfc3339(), form).milliseconds == time.milliseconds)
                #expect(try UTCTimestamp(rfc3339: time.rfc3339(.none), form).seconds == time.seconds)
            }
            let date = try style.parse(time.rfc3339())
            #expect(UTCTimestamp(timeIntervalSince1970: date.timeIntervalSince1970).milliseconds == time.milliseconds)
        }
    }

    @Test(
        "times are written with as much of the fraction as is wished",
        arguments: [
            (0, 0, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            (-1, 999_999_999, "1969-12-31T23:59:59Z", "1969-12-31T23:59:59.999Z"),
            (951_826_154, 7_900_000, "2000-02-29T12:09:14Z", "2000-02-29T12:09:14.007Z"),
            (-62_135_596_800, 0, "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            (253_402_300_799, 999_000_000, "9999-12-31T23:59:59Z", "9999-12-31T23:59:59.999Z"),
        ])
    func writing(seconds: Int, nanoseconds: Int, whole: String, milliseconds: String) {
        let time = UTCTimestamp(seconds: seconds, nanoseconds: nanoseconds)
        #expect(time.rfc3339(.none) == whole && time.rfc3339() == milliseconds)
        #expect(UTCTimestamp(milliseconds: time.milliseconds).rfc3339() == milliseconds)
    }

    @Test("all forms of RFC 3339 are read, and only one where that is asked for")
    func forms() throws {
        for text in [
            "2026-02-17T00:00:00Z", "2026-02-17t00:00:00.0z", "2026-02-17T01:30:00.000000000+01:30",
            "2026-02-16T19:00:00-05:00", "2026-02-16T23:59:60Z", "2026-02-17T00:00:00.0000000009Z",
        ] { #expect(try UTCTimestamp(rfc3339: text).rfc3339(.nanoseconds) == "2026-02-17T00:00:00.000000000Z") }
        for text in [
            "2020-11-21t22:13:02Z", "2020-11-21T22:13:02z", "2020-11-21T22:13:02+00:00",
            "2020-11-21T22:13:02.1234567890Z", "2020-11-21T23:59:60Z", "0000-01-01T00:00:00Z",
        ] {
            #expect(throws: Never.self) { try UTCTimestamp(rfc3339: text) }
            #expect(throws: TimestampError.self) { try UTCTimestamp(rfc3339: text, .utc) }
        }
    }

    @Test(
        "what is no time is refused, with the place",
        arguments: [
            ("", 0), ("2026-02-17", 10), ("2026-02-17T00:00:00", 19), ("2026-02-30T00:00:00Z", 8),
            ("2025-02-29T00:00:00Z", 8), ("1900-02-29T00:00:00Z", 8), ("2020-04-31T00:00:00Z", 8),
            ("2026-13-01T00:00:00Z", 5), ("2026-00-01T00:00:00Z", 5), ("2026-02-00T00:00:00Z", 8),
            ("2026-02-17T24:00:00Z", 11), ("2026-02-17T00:60:00Z", 14), ("2026-02-17T00:00:61Z", 17),
            ("2026-02-17T12:00:60Z", 17), ("2026-02-17T23:59:60+01:00", 17), ("2026-02-17 00:00:00Z", 10),
            ("2026-02-17T00:00:00.Z", 20), ("2026-02-17T00:00:00+0100", 22), ("26-02-17T00:00:00Z", 2),
            ("2026-02-17T00:00:00ZZ", 20), ("1771286400000", 4), ("2026-02-17T00:00:00+24:00", 20),
            ("-020-11-21T22:13:02Z", 0), ("2020-11-21T22:13:0\u{e9}Z", 18), ("2020-1-21T22:13:02.796Z", 6),
            ("2020-11-21T22:13:02.12x4Z", 22), ("0000-01-01T00:00:00+00:01", 0), ("9999-12-31T23:59:59-00:01", 0),
            ("9999-12-31T23:59:60Z", 0),
        ])
    func refusals(text: String, offset: Int) {
        let error = #expect(throws: TimestampError.self) { try UTCTimestamp(rfc3339: text) }
        #expect(error?.offset == offset, "\(text): \(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "times of receipts",
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2020-11-21T22:13:02.796Z", 1_605_996_782_796),
            ("2020-11-27T22:41:40.46Z", 1_606_516_900_460), ("2000-02-29T23:59:59.9Z", 951_868_799_900),
            ("2026-06-15T12:00:00.123456789Z", 1_781_524_800_123), ("1969-12-31T23:59:59.999Z", -1),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000), ("9999-12-31T23:59:59.999Z", 253_402_300_799_999),
        ] as [(String, Int64)])
    func receipts(text: String, milliseconds: Int64) throws {
        let time = try UTCTimestamp(rfc3339: text, .utc)
        #expect(time.milliseconds == milliseconds)
        #expect(try UTCTimestamp(rfc3339: time.rfc3339(.nanoseconds), .utc) == time)
    }

    @Test(
        "other forms and days that do not exist are no times of receipts",
        arguments: [
            "", "2020-11-21", "2020-11-21T22:13:02", "2020-11-21 22:13:02Z", "2020-11-21t22:13:02z",
            "2020-11-21T22:13:02+00:00", "2020-11-21T22:13:02.Z", "2020-11-21T22:13:02.1234567890Z",
            "2020-11-21T22:13:02.12x4Z", "2020-13-01T00:00:00Z", "2020-00-01T00:00:00Z", "2021-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "2020-04-31T00:00:00Z", "2020-04-00T00:00:00Z", "2020-11-21T24:00:00Z",
            "2020-11-21T23:60:00Z", "2020-11-21T23:59:60Z", "0000-01-01T00:00:00Z", "2020-1-21T22:13:02.796Z",
            "-020-11-21T22:13:02Z", "2020-11-21T22:13:0\u{e9}Z",
        ])
    func noReceipts(text: String) {
        #expect(throws: TimestampError.self) { try UTCTimestamp(rfc3339: text, .utc) }
    }

    @Test("random text never traps")
    func random() {
        var random = SplitMix64(state: 4)
        let text = Array("2026-02-17T23:59:60.123456789+01:30".utf8)
        for _ in 0..<20_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = random.byte()
            }
            _ = try? UTCTimestamp(rfc3339: bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
        }
    }

    @Test("moments outside of the calendar are the nearest in it")
    func bounds() {
        for time in [
            UTCTimestamp(seconds: .max, nanoseconds: .max), UTCTimestamp(milliseconds: .max),
            UTCTimestamp(timeIntervalSince1970: .infinity), UTCTimestamp(seconds: 0).advanced(by: .seconds(Int64.max)),
        ] { #expect(time == .latest || time.rfc3339() == "9999-12-31T23:59:59.999Z") }
        for time in [
            UTCTimestamp(seconds: .min, nanoseconds: .min), UTCTimestamp(milliseconds: .min),
            UTCTimestamp(timeIntervalSince1970: -.infinity), UTCTimestamp(timeIntervalSince1970: .nan),
            UTCTimestamp(seconds: -5).advanced(by: .seconds(Int64.min)),
        ] { #expect(time == .earliest) }
    }

    @Test("a date is the microsecond that was meant, and comes back")
    func dates() {
        #expect(UTCTimestamp(timeIntervalSince1970: 1_763_683_202.839).nanoseconds == 839_000_000)
        #expect(UTCTimestamp(timeIntervalSince1970: 1_763_683_199.999_999_9).seconds == 1_763_683_200)
        #expect(UTCTimestamp(timeIntervalSince1970: -0.5) == UTCTimestamp(seconds: -1, nanoseconds: 500_000_000))
        var random = SplitMix64(state: 5)
        for _ in 0..<1_000 {
            let time = UTCTimestamp(
                seconds: Int.random(in: 0...4_102_444_800, using: &random),
                nanoseconds: Int.random(in: 0..<1_000_000, using: &random) * 1_000)
            let date = Date(timeIntervalSince1970: time.timeIntervalSince1970)
            #expect(UTCTimestamp(timeIntervalSince1970: date.timeIntervalSince1970) == time)
        }
    }

    @Test("durations lead from one moment to another")
    func durations() {
        let early = UTCTimestamp(seconds: -1, nanoseconds: 999_999_999)
        let late = UTCTimestamp(seconds: 300, nanoseconds: 1)
        #expect(early < late && early.duration(to: late) == .seconds(300) + .nanoseconds(2))
        #expect(early.advanced(by: early.duration(to: late)) == late)
        #expect(late.advanced(by: late.duration(to: early)) == early)
    }
}
