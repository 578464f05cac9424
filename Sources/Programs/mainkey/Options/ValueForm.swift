import ArgumentParser
import BasicFoundation
import MainKey
import StrictJSON
import TextForms

/// What standard input is read as, and how it is written.
enum ValueForm: String, CaseIterable, ExpressibleByArgument {
    case text, bytes, int, double, json, bool, date

    /// Calls `body` with the value that the bytes are the text of.
    func withValue<R>(_ bytes: [UInt8], _ body: (any SealableValue) throws -> R) throws -> R {
        if self == .bytes { return try body(Data(bytes)) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure.usage("The value is no UTF-8 text. Take it as it is with --as bytes.")
        }
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch self {
        case .text, .bytes: return try body(text)
        case .int: return try body(try parsed(Int64(word)))
        case .double: return try body(try parsed(Double(word)))
        case .bool: return try body(try parsed(Bool(word)))
        case .date: return try body(try parsed(Self.moment(word)))
        case .json:
            guard (try? JSONReader(maximumDepth: 512, maximumBytes: bytes.count).read(bytes)) != nil else {
                throw Failure.usage("The value is not JSON.")
            }
            return try body(JSONText(text: text))
        }
    }

    private func parsed<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Failure.usage("The value is no \(rawValue).") }
        return value
    }

    /// The bytes that stand for an opened value: those of texts, bytes and JSON as they are, others as a word.
    static func withText<R>(
        of payload: UnsafeRawBufferPointer, as form: SealableForm, _ body: (UnsafeRawBufferPointer) throws -> R
    ) throws -> R {
        func word(_ text: String) throws -> R { try Array(text.utf8).withUnsafeBytes(body) }
        return switch form {
        case .text, .bytes, .json: try body(payload)
        case .int: try word("\(Int64(sealableForm: form, payload))")
        case .double: try word("\(Double(sealableForm: form, payload))")
        case .bool: try word("\(Bool(sealableForm: form, payload))")
        case .date: try word(Self.text(Date(sealableForm: form, payload)))
        }
    }

    private static func moment(_ text: String) -> Date? {
        (try? UTCTimestamp(rfc3339: text)).map { Date(timeIntervalSince1970: $0.timeIntervalSince1970) }
    }

    /// The date as RFC 3339 writes it; one beyond its years as seconds.
    private static func text(_ date: Date) -> String {
        let time = UTCTimestamp(timeIntervalSince1970: date.timeIntervalSince1970)
        guard time > .earliest, time < .latest else {
            return "\(date.timeIntervalSince1970) s"
        }
        return time.rfc3339()
    }
}

/// JSON as it was written.
private struct JSONText: SealableValue {
    var text: String

    init(text: String) {
        self.text = text
    }

    func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        var copy = text
        return copy.withUTF8 { body(.json, UnsafeRawBufferPointer($0)) }
    }

    init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) {
        text = String(decoding: payload, as: UTF8.self)
    }
}
