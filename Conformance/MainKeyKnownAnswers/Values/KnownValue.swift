import Foundation
import KnownAnswers
import MainKey

/// A value of a known answer: its kind, and what it is in JSON; bytes are `{"hex": …}`.
enum KnownValue {
    static func sealable(kind: String, _ json: JSON) -> (any SealableValue)? {
        switch kind {
        case "text": json.string
        case "bytes": json["hex"].hex.map { Data($0) }
        case "int": json.int.map { Int64($0) }
        case "double": json.double
        case "json": json.string.map { JSONText(text: $0) }
        case "bool": json.bool
        case "date": json.int.map { Date(timeIntervalSince1970: Double($0) / 1000) }
        default: nil
        }
    }

    /// The value of a row, in its fields `kind` and `value`.
    static func sealable(of row: Row) throws -> any SealableValue {
        guard let value = sealable(kind: try row.text("kind"), row["value"]) else { throw RowError.missing("value") }
        return value
    }

    /// Form and payload as they are sealed.
    static func form(of value: some SealableValue) throws -> SealedForm {
        try value.withSealableForm { SealedForm(form: $0, payload: Array($1)) }
    }
}

struct SealedForm: Equatable {
    let form: SealableForm
    let payload: [UInt8]
}

/// JSON that stays as it was written.
private struct JSONText: SealableValue {
    let text: String

    init(text: String) {
        self.text = text
    }

    func withSealableForm<R>(_ body: (SealableForm, UnsafeRawBufferPointer) -> R) -> R {
        var copy = text
        return copy.withUTF8 { body(.json, UnsafeRawBufferPointer($0)) }
    }

    init(sealableForm form: SealableForm, _ payload: UnsafeRawBufferPointer) throws(MainKeyError) {
        try form.expect(.json)
        text = String(decoding: payload, as: UTF8.self)
    }
}
