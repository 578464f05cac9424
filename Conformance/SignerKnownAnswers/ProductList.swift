import KnownAnswers

/// The lists of ``ProductTopic`` that are checked one by one.
///
/// Source: `signer-product` section 12.4.
package enum ProductList: Sendable {
    /// Single updates over abstract states.
    case verifierTable
    /// Updates as they travel, one after the other.
    case scenarios
    /// Phrases while they are typed.
    case drafts
    /// Readings of the probes of a network.
    case detector

    private var list: any AnswerList.Type {
        switch self {
        case .verifierTable: TableAnswers.self
        case .scenarios: ScenarioAnswers.self
        case .drafts: DraftAnswers.self
        case .detector: DetectorAnswers.self
        }
    }

    /// Checks a file, which is of this kind or fails.
    package func check(_ file: AnswerFile, report: inout Report) {
        report.check(file, with: [list])
        file.folder.closeContents(into: &report)
    }
}
