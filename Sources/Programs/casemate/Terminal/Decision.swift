import BasicFoundation
import Console
import Signer

/// Shows an answer and asks for the decision on it, so that what decides stands directly above the question.
struct Decision {
    let answer: Answer
    /// What is said of the program itself, below the answer.
    var remark: Paragraph?
    /// Whether standard output belongs to a machine.
    var printsJSON = false

    private var text: AnswerText { AnswerText(answer: answer) }
    private var details: [Paragraph] {
        text.details + (remark.map { [.blank, $0] } ?? [])
    }

    /// Whether standard output is where the person looks.
    private var isOnScreen: Bool { !printsJSON && isatty(STDOUT_FILENO) == 1 }

    /// Prints the answer; what decides is left to ``ask(_:given:)`` where that follows.
    func show(asking: Bool) {
        guard !printsJSON else { return }
        let willAsk = asking && isOnScreen && Terminal() != nil
        print((details + (willAsk ? [] : text.decision)).text)
    }

    /// Shows on the terminal what decides, and what was not printed there, then asks for each danger and for a yes.
    ///
    /// - Parameter given: what was typed for dangers beforehand.
    /// - Returns: what was typed for all dangers.
    func ask(_ question: String, given: [String] = []) throws -> [String] {
        try Question.confirm(
            question, below: (isOnScreen ? [] : details) + text.decision, dangers: answer.confirmations, given: given)
    }

    /// What a script has given for the dangers, where no person is asked.
    func confirmed(by given: [String]) throws -> [String] {
        guard answer.confirmations.missing(from: given).isEmpty else {
            throw Failure.dangerNotConfirmed(AnswerText.dangers(answer))
        }
        return given
    }
}
