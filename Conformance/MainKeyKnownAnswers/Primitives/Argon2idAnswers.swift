import KnownAnswers
import MainKey

/// Known answers about keys from PINs.
enum Argon2idAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("pin_hex", "salt", "m_kib") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content["cases"]) { row in
            // The format has one lane.
            row.expect("p", row["p"].int ?? 1, equals: 1)
            let pin = try row.secret("pin_hex")
            let salt = try row.bytes("salt")
            let cost = Argon2Cost(passes: try row.integer("t"), memoryKiB: try row.integer("m_kib"))
            if let key = try row.outcome({ try Argon2id.stretch(pin, salt: salt, cost: cost) }) {
                row.expect("out", key.revealed, equals: try row.bytes("out"))
            }
        }
    }
}
