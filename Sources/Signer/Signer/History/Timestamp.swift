import Foundation

/// Times of the log: UTC text that sorts like the time it tells.
enum Timestamp {
    /// `YYYY-MM-DD HH:MM:SS.` and the fraction of a second without trailing zeros, at least one digit.
    static func text(_ date: Date) -> String {
        // A Date is binary and keeps no more than microseconds: the nearest one is the time that was meant.
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let microseconds = ((date.timeIntervalSince1970 - seconds) * 1_000_000).rounded()
        let isWhole = microseconds >= 1_000_000
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .gmt
        let parts = calendar.dateComponents(
            [.year, .month, .day, .hour, .minute, .second],
            from: Date(timeIntervalSince1970: isWhole ? seconds + 1 : seconds))
        var fraction = pad(isWhole ? 0 : Int(microseconds), to: 6)
        while fraction.count > 1 && fraction.hasSuffix("0") { fraction.removeLast() }
        let day = "\(pad(parts.year ?? 0, to: 4))-\(pad(parts.month ?? 0, to: 2))-\(pad(parts.day ?? 0, to: 2))"
        let time = "\(pad(parts.hour ?? 0, to: 2)):\(pad(parts.minute ?? 0, to: 2)):\(pad(parts.second ?? 0, to: 2))"
        return "\(day) \(time).\(fraction)"
    }

    private static func pad(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
