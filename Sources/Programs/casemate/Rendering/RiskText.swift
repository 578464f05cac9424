import Console
import Signer
import Substrate
import TextForms

/// What a person should know before anything else, the most severe first.
struct RiskText {
    let answer: Answer
    let style: Style

    var lines: [String] {
        guard !answer.risks.isEmpty else { return [] }
        return ["", style.bold("Look at this first")] + answer.risks.map(line)
    }

    private func line(_ risk: Risk) -> String {
        let label =
            switch risk.severity {
            case .refuse: style.danger("REFUSED ")
            case .danger: style.danger("DANGER  ")
            case .warn: style.warning("warning ")
            case .notice: style.dim("notice  ")
            }
        let message = ScreenText.escape(risk.message)
        return "  \(label)\(message)\(calls(risk)) " + style.dim("[\(risk.rule.rawValue)]")
    }

    /// Which calls a risk is about, where there are several.
    private func calls(_ risk: Risk) -> String {
        guard let count = answer.effects?.leaves.count, count > 1, !risk.calls.isEmpty else { return "" }
        if risk.calls.count == count { return " (every call)" }
        return " (call \(Self.ranges(risk.calls)))"
    }

    /// `1, 3-5`.
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
