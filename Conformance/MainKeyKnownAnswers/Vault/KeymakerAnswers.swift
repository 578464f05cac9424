import KnownAnswers
import MainKey
import MainKeyCompat
import SecretMemory

/// What Keymaker locked: main keys under a PIN, and texts under main keys.
enum KeymakerAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("pinProtection", "lockedString") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check(content["cases"]) { row in
            let pin = try SecretBytes(copying: Array(row.text("pin").utf8))
            let (locked, salt) = (try row.bytes("pinProtection"), try row.bytes("salt"))
            let protection = try KeymakerPINProtection(lockedKey: locked, salt: salt)
            row.expect("stretched PIN", try protection.stretch(pin).revealed, equals: try row.bytes("scryptKey"))
            guard let key = try row.outcome({ try protection.mainKey(pin: pin) }) else { return }
            row.expect("main key", key.revealed, equals: try row.bytes("mainKey"))
            let text = try KeymakerLocked(bytes: row.bytes("lockedString")).string(under: key)
            row.expect("value", text.revealed, equals: Array(try row.text("value").utf8))
        }
    }
}
