import KnownAnswers

/// Conversations of both versions, with keys and nonces, and single messages with the reason for which they are
/// refused.
enum ProtocolAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content.has("v1", "v2") }

    static var members: Set<String>? { ["v1", "v2", "v2grant"] }

    /// What a conversation holds: each check looks at some of it.
    private static let parts: Set<String> = [
        "appPrivateKey", "validatorPrivateKey", "otherPrivateKey", "appPublicKey", "validatorPublicKey", "appKeyId",
        "validatorKeyId", "appPublicKeySPKI", "appHash", "validatorHash", "nonceA", "nonceV", "epoch", "timestampMs",
        "challenge", "request", "response", "confirm", "alert", "requestSignedBytes", "responseSignedBytes",
        "confirmSignedBytes", "alertSignedBytes", "requestFrame", "sizes", "session", "provision", "rotate",
    ]

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) {
        report.check([content["v1"]], of: "\(file.path) v1", besides: ["nonce2"], VersionOneAnswers.check)
        for version in content.object.keys.sorted() where version != "v1" {
            let list = "\(file.path) \(version)"
            let good = content[version]["good"]
            for (name, check) in ConversationAnswers.parts {
                report.check([good], of: "\(list) \(name)", besides: parts, check)
            }
            report.check([good], of: "\(list) session", besides: parts, SessionAnswers.check)
            report.check(good["session"]["revalidateCases"].array, of: "\(list) revalidateCases") { row in
                try SessionAnswers.check(&row, in: good)
            }
            report.check(content[version]["cases"].array, of: "\(list) cases", besides: ["ownHash"]) { row in
                try MessageCases.check(&row, good)
            }
        }
    }
}
