import KnownAnswers

/// The cold vault: the format of `data/signer-product`. `conformance product` runs this.
package enum ProductTopic: Topic {
    package static let name = "product"
    package static let summary = "the cold vault: verifiers, keys, log, database, screens, split backups"

    package static let lists: [any AnswerList.Type] = [
        TableAnswers.self, ScenarioAnswers.self, SplitAnswers.self, TransitionAnswers.self, FlowAnswers.self,
        HistoryAnswers.self, DatabaseAnswers.self, KeyAnswers.self, DraftAnswers.self, DetectorAnswers.self,
    ]

    package static let tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] = [
        "wordlist.txt": PassphraseAnswers.check, ".hex": MetadataFileAnswers.check,
    ]
}

/// The code of the error that `body` throws; nil if it throws none.
func code(_ codeOf: (any Error) -> String?, _ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return codeOf(error) ?? "\(error)"
    }
}
