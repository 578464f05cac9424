import Console
import Signer

/// An entry of the log in full.
struct LogDetailsText {
    let details: LogDetails

    struct DetailsJSON: Encodable {
        struct EventJSON: Encodable {
            var event: String
            var detail: String
            var danger: Bool
            /// What was signed, as 'casemate inspect --json' shows it.
            var content: AnswerJSON?
            /// Why it cannot be shown any more.
            var problem: ProblemJSON?
        }

        struct ProblemJSON: Encodable {
            var code: String
            var message: String
        }

        var order: Int
        var timestamp: String
        var danger: Bool
        var events: [EventJSON]
    }

    var json: DetailsJSON {
        DetailsJSON(
            order: details.order, timestamp: details.timestamp, danger: details.isDangerous,
            events: details.events.map { event in
                var json = DetailsJSON.EventJSON(event: event.name, detail: event.essence, danger: event.isDangerous)
                switch event.content {
                case .none: break
                case .decoded(let answer): json.content = AnswerJSON(answer)
                case .undecodable(let problem):
                    json.problem = DetailsJSON.ProblemJSON(code: problem.code, message: "\(problem)")
                }
                return json
            })
    }

    var paragraphs: [Paragraph] {
        [Paragraph([.words("Entry \(details.order)", .bold), .words("  \(details.timestamp) UTC")])]
            + details.events.flatMap { event -> [Paragraph] in
                let line = Paragraph([
                    .words(event.name, event.isDangerous ? .danger : .bold), .words("  "),
                    PieceText.title(event.essence),
                ])
                return [.blank, line] + content(of: event)
            }
    }

    private func content(of event: LoggedEvent) -> [Paragraph] {
        switch event.content {
        case .none: []
        case .decoded(let answer): AnswerText(answer: answer).details
        case .undecodable(let problem):
            [Paragraph(indent: 2, [PieceText.title("\(problem)"), .words(" [\(problem.code)]")])]
        }
    }
}
