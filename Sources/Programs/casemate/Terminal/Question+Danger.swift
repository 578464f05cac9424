import Console
import Signer
import Substrate
import TextForms

extension Question {
    /// Asks for each danger, and then for a yes, below what decides.
    ///
    /// - Parameter given: what was typed for dangers beforehand.
    /// - Returns: what was typed for all dangers.
    static func confirm(
        _ question: String, below shown: [Paragraph], dangers: [Confirmation], given: [String]
    ) throws -> [String] {
        var typed = given
        let missing = { dangers.missing(from: typed) }
        try confirm(
            question, below: shown, after: { missing().map(text) },
            asking: { terminal in
                for danger in missing() {
                    try confirm(danger: danger, on: terminal)
                    typed.append(danger.text)
                }
            })
        return typed
    }

    /// Asks for what only a person who has looked can type.
    ///
    /// - Throws: ``InteractionError/declined`` for anything else.
    static func confirm(danger: Confirmation, on terminal: Terminal) throws {
        terminal.discardTyped()
        terminal.write(text(danger))
        guard terminal.line() == danger.text else { throw InteractionError.declined }
    }

    static func text(_ danger: Confirmation) -> String {
        let wanted =
            switch danger.kind {
            case .account:
                "the last \(danger.text.count) characters of the address that \(danger.place) is about"
            case .difference(let position):
                "characters \(position) to \(position + danger.text.count - 1) of the destination of \(danger.place)"
            case .signer: "the last \(danger.text.count) characters of the address that signs\(danger.memberInWords)"
            case .amount: "the amount\(danger.memberInWords)\(danger.networkInWords), \(danger.text),"
            case .method: "the name of the method of \(danger.place), \(ForeignName.shown(danger.text)),"
            }
        return "This is dangerous (\(danger.rule.rawValue)). Type \(wanted) to go on: "
    }
}
