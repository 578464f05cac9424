import Console
import Signer
import TextForms

/// What a person should know before they decide, the most severe first.
struct RiskText {
    let answer: Answer
    /// The number of the transaction, where there are several.
    var member: Int?

    var paragraphs: [Paragraph] { answer.risks.map(paragraph) }

    private func paragraph(_ risk: Risk) -> Paragraph {
        let label: Paragraph.Piece =
            switch risk.severity {
            case .refuse: .words("REFUSED ", .danger)
            case .danger: .words("DANGER  ", .danger)
            case .warn: .words("warning ", .warning)
            case .notice: .words("notice  ", .dim)
            }
        let calls = risk.callsInWords(of: answer.effects?.leaves.count)
        let member = member.map { "Transaction \($0): " } ?? ""
        return Paragraph(
            indent: 2, hanging: 10,
            [label, .words("\(member)\(risk.message)\(calls) "), .whole("[\(risk.rule.rawValue)]", .dim)])
    }
}
