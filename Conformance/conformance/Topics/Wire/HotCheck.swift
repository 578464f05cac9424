import HotSideKnownAnswers
import KnownAnswers

/// The files of `hot`: what the connected side makes of nodes' answers and of its database.
enum HotCheck: WireCheck {
    static func recognises(_ content: JSON) -> Bool { HotAnswers.recognises(content) }

    static func run(_ content: JSON, file: WireFile, report: inout Report) {
        HotAnswers.check(content, file: HotAnswerFile(folder: file.folder, path: file.path), report: &report)
    }
}
