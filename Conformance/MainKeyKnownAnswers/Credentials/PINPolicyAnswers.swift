import KnownAnswers
import MainKey

/// The first rule that a PIN breaks.
enum PINPolicyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("pin_hex", "expect") }

    static var members: Set<String>? { ["minLength", "maxLength", "cases"] }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        if content.has("minLength", "maxLength") {
            var row = Row(content, index: 0)
            row.expect("minLength", PINPolicy.byteCounts.lowerBound, equals: content["minLength"].int)
            row.expect("maxLength", PINPolicy.byteCounts.upperBound, equals: content["maxLength"].int)
            report.close(row, "\(file.path) lengths")
        }
        report.check(content["cases"].array, of: file.path) { row in
            let weakness = PINPolicy.standard.weakness(of: try row.secret("pin_hex"))
            row.expect("outcome", weakness?.rawValue ?? "ok", equals: try row.text("expect"))
        }
    }
}
