import Signer

/// What a person should know, and nothing is refused for.
package struct NoticeData: Hashable, Sendable, Encodable {
    /// The name by which programs tell notices apart.
    package var code: String
    /// What it is about and what to do.
    package var text: String

    /// The seed is the phrase that everybody knows.
    ///
    /// Source: `signer-product` section 3.2.
    static func developmentPhrase(seed: String) -> NoticeData {
        NoticeData(code: "DevelopmentPhrase", text: DevelopmentPhrase.notice(seed: seed))
    }
}
