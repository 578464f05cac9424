import KnownAnswers
import MainKey

/// The first rule that a PIN breaks.
enum PINPolicyAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("pin_hex", "expect") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        if content.has("minLength", "maxLength") {
            report.check(content, as: "lengths") { row in
                row.expect("minLength", PINPolicy.byteCounts.lowerBound, equals: row["minLength"].int)
                row.expect("maxLength", PINPolicy.byteCounts.upperBound, equals: row["maxLength"].int)
            }
        }
        report.check(content["cases"]) { row in
            let weakness = PINPolicy.standard.weakness(of: try row.secret("pin_hex"))
            row.expect("outcome", weakness?.rawValue ?? "ok", equals: try row.text("expect"))
        }
    }
}
