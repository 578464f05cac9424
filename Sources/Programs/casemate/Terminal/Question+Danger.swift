import Console
import Signer
import Substrate
import TextForms

extension Question {
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
