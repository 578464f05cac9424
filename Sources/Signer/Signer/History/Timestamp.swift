import BasicFoundation
import TextForms

/// Times of the log: UTC text that sorts like the time it tells.
enum Timestamp {
    /// `YYYY-MM-DD HH:MM:SS.` and the fraction of a second without trailing zeros, at least one digit.
    static func text(_ date: Date) -> String {
        let time = UTCTimestamp(timeIntervalSince1970: date.timeIntervalSince1970)
        var text = time.rfc3339(.nanoseconds).dropLast().replacing("T", with: " ")
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return String(text)
    }
}
