import KnownAnswers
import Substrate

/// Keys, signatures, addresses and hashes: the format of `data/substrate-crypto`.
enum CryptoTopic: Topic {
    static let name = "crypto"
    static let summary = "hashes, keys, signatures, addresses"

    static let lists: [any AnswerList.Type] = [
        PublishedAnswers.self, DigestAnswers.self, ProofAnswers.self, MauledProofAnswers.self, CryptoLists.self,
    ]

    static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "bip39_english.txt": { file, report in
            let words = try file.text().split(whereSeparator: \.isNewline).map { Array($0.utf8) }
            report.expect("\(file.path), the words of this build", words == EnglishWords.utf8, equals: true)
        },
        // Chains of which nothing is known but their names.
        "acala.scale": checkName(of:report:), "hydradx.scale": checkName(of:report:),
    ]

    @Sendable private static func checkName(of file: AnswerFile, report: inout Report) throws {
        report.expect(file.path, "\(try ChainMetadata(file.bytes()).specName).scale", equals: file.name)
    }
}

/// Files of several lists, each recognised by its name.
enum CryptoLists: AnswerList {
    private static let checks = [
        CryptoTopic.hashes, CryptoTopic.transcripts, CryptoTopic.schnorrkel, CryptoTopic.mnemonics, CryptoTopic.wallets,
        CryptoTopic.addresses, CryptoTopic.classic, CryptoTopic.rules, CryptoTopic.metadataTrees,
    ].reduce(into: [:]) { all, some in all.merge(some) { first, _ in first } }

    static func recognises(_ content: JSON) -> Bool { checks.keys.contains { content.has($0) } }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        // Words about a list, and the phrase that stands in for an absent one.
        content.leave("blake3_note")
        if let phrase = content["dev_phrase"].string {
            report.expect(file.name("dev_phrase"), phrase, equals: CryptoTopic.developmentPhrase)
        }
        report.check(content, by: checks)
    }
}
