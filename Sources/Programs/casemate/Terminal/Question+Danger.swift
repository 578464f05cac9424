import Console
import Signer
import Substrate
import TextForms

extension Question {
    /// Asks for what only somebody who has looked can type.
    ///
    /// - Throws: ``InteractionError/declined`` for anything else.
    static func confirm(danger: Confirmation, on terminal: Terminal) throws {
        terminal.discardTyped()
        terminal.write(text(danger))
        guard terminal.line() == danger.text else { throw InteractionError.declined }
    }

    static func text(_ danger: Confirmation) -> String {
        let member = danger.member.map { " in transaction \($0)" } ?? ""
        let wanted =
            switch danger.kind {
            case .destination:
                "the last \(danger.text.count) characters of the destination of call \(danger.call)\(member)"
            case .method: "the name of the method, \(ForeignName.shown(danger.text)),"
            }
        return "This is dangerous. Type \(wanted) to go on: "
    }
}
