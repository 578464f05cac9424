import KnownAnswers
import SecretMemory
import SeedDraft
import Substrate

/// `[{name, steps: [{action, data, expect}]}]`: phrases while they are typed.
enum DraftAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool {
        content.has("steps") && content[0]["steps"][0]["expect"].has("userInput", "draft")
    }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        for session in content.rows {
            var draft = try SeedDraft()
            let name = session["name"].string ?? "?"
            report.check(session["steps"]) { row in
                let text = try row.secretText("data")
                switch try row.text("action") {
                case "TextEntry": try draft.enter(text)
                case "PushWord": try draft.push(text)
                case let other: throw RowError.missing("known action instead of \(other)")
                }
                let view: JSON = .object([
                    "userInput": .string(draft.input.publicText),
                    "guesses": .array(try draft.guesses().map { .string($0.publicText) }),
                    "draft": .array((0..<draft.wordCount).map { .string(draft.word(at: $0).publicText) }),
                    "ready": try draft.phrase().map { .string(try $0.phrase().publicText) } ?? .null,
                ])
                row.expect(name, view, equals: row["expect"])
            }
        }
    }
}
