import KnownAnswers

/// Conversations of both versions, with keys and nonces, and single messages with the reason for which they are
/// refused.
enum ProtocolAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("v1", "v2") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        // The nonce of a validator that does not echo is in its answers.
        report.check(content["v1"], besides: ["nonce2"], VersionOneAnswers.check)
        for version in content.object.keys.sorted() where version != "v1" {
            let good = content[version]["good"]
            for (name, check) in ConversationAnswers.parts { report.check(good, as: name, check) }
            report.check(good, as: "session", SessionAnswers.check)
            report.check(good["session"]["revalidateCases"]) { row in try SessionAnswers.check(&row, in: good) }
            // What a client measures of itself is in the message that it is about.
            report.check(content[version]["cases"], besides: ["ownHash"]) { row in try MessageCases.check(&row, good) }
        }
    }
}
