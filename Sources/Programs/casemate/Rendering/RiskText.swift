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
        let member = member.map { "Transaction \($0): " } ?? ""
        return Paragraph(
            indent: 2, hanging: 10,
            [label, .words("\(member)\(risk.message)\(calls(risk)) "), .whole("[\(risk.rule.rawValue)]", .dim)])
    }

    /// The calls that a risk is about, where there are several.
    private func calls(_ risk: Risk) -> String {
        guard let count = answer.effects?.leaves.count, count > 1, !risk.calls.isEmpty else { return "" }
        if risk.calls.count == count { return " (every call)" }
        return " (call \(Self.ranges(risk.calls)))"
    }

    /// Numbers in short form, as `1, 3-5`.
    static func ranges(_ numbers: [Int]) -> String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
            .joined(separator: ", ")
    }
}
