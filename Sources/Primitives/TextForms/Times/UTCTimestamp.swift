/// A moment in UTC as RFC 3339 can write it, to the nanosecond, in the years 0 to 9999.
///
///     let time = try UTCTimestamp(rfc3339: "1985-04-12T23:20:50.52Z")
///     let text = UTCTimestamp(timeIntervalSince1970: Date().timeIntervalSince1970).rfc3339(.milliseconds)
///
/// It needs no Foundation; where a `Date` is wanted, `timeIntervalSince1970` leads to it and back.
package struct UTCTimestamp: Hashable, Sendable {
    /// Whole seconds since 1970 that are not after the moment, without leap seconds.
    package let seconds: Int
    /// The fraction of a second in nanoseconds, from 0 to 999,999,999.
    package let nanoseconds: Int

    package static let earliest = UTCTimestamp(unchecked: -62_167_219_200, nanoseconds: 0)
    package static let latest = UTCTimestamp(unchecked: 253_402_300_799, nanoseconds: 999_999_999)

    private init(unchecked seconds: Int, nanoseconds: Int) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// A moment, or the nearest one that can be written.
    ///
    /// - Parameter nanoseconds: any number; seconds in it are carried over.
    package init(seconds: Int, nanoseconds: Int = 0) {
        let (carried, rest) = nanoseconds.flooredQuotient(dividingBy: 1_000_000_000)
        let (whole, overflow) = seconds.addingReportingOverflow(carried)
        let time = UTCTimestamp(unchecked: overflow ? (seconds < 0 ? .min : .max) : whole, nanoseconds: rest)
        self = min(max(time, .earliest), .latest)
    }

    /// The moment so many milliseconds after 1970 began, or the nearest one that can be written.
    package init(milliseconds: Int64) {
        let (seconds, rest) = Int(milliseconds).flooredQuotient(dividingBy: 1_000)
        self.init(seconds: seconds, nanoseconds: rest * 1_000_000)
    }

    /// Milliseconds since 1970; what is finer is cut off.
    package var milliseconds: Int64 { Int64(seconds * 1_000 + nanoseconds / 1_000_000) }

    /// The moment of a `Date`, or the nearest one that can be written; not a number becomes the earliest.
    ///
    /// A `Date` is binary and keeps no more than microseconds in our time: the nearest one is what was meant.
    package init(timeIntervalSince1970 interval: Double) {
        if interval >= Double(Self.latest.seconds + 1) {
            self = .latest
        } else if interval >= Double(Self.earliest.seconds) {
            // Without the library of mathematics, which whole programs would be linked with for this.
            let towardsZero = Int(interval)
            let whole = Double(towardsZero) > interval ? towardsZero - 1 : towardsZero
            let microseconds = Int((interval - Double(whole)) * 1_000_000 + 0.5)
            self.init(seconds: whole, nanoseconds: microseconds * 1_000)
        } else {
            self = .earliest
        }
    }

    /// The argument of `Date.init(timeIntervalSince1970:)`.
    package var timeIntervalSince1970: Double { Double(seconds) + Double(nanoseconds) / 1_000_000_000 }
}

extension UTCTimestamp: InstantProtocol {
    package static func < (left: UTCTimestamp, right: UTCTimestamp) -> Bool {
        left.seconds == right.seconds ? left.nanoseconds < right.nanoseconds : left.seconds < right.seconds
    }

    /// The moment so much later, or the nearest one that can be written.
    package func advanced(by duration: Duration) -> UTCTimestamp {
        let (whole, attoseconds) = duration.components
        let (sum, overflow) = seconds.addingReportingOverflow(Int(whole))
        return UTCTimestamp(
            seconds: overflow ? (whole < 0 ? .min : .max) : sum,
            nanoseconds: nanoseconds + Int(attoseconds / 1_000_000_000))
    }

    package func duration(to other: UTCTimestamp) -> Duration {
        .seconds(other.seconds - seconds) + .nanoseconds(other.nanoseconds - nanoseconds)
    }
}

extension UTCTimestamp {
    /// The moment as the calendar and a clock show it.
    package struct Civil: Hashable, Sendable {
        package let date: CivilDate
        package let hour: Int
        package let minute: Int
        package let second: Int
    }

    package var civil: Civil {
        let (days, secondOfDay) = seconds.flooredQuotient(dividingBy: 86_400)
        return Civil(
            date: CivilDate(daysSince1970: days), hour: secondOfDay / 3_600, minute: secondOfDay / 60 % 60,
            second: secondOfDay % 60)
    }
}
