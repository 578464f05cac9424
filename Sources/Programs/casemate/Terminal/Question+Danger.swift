import Console
import Signer
import Substrate
import TextForms

extension Question {
    /// Asks for what only somebody who has looked can type.
    ///
    /// - Throws: ``InteractionError/declined`` for anything else.
    static func confirm(danger: Confirmation) throws {
        guard let terminal = Terminal() else { throw InteractionError.noTerminalForQuestion }
        let member = danger.member.map { " in transaction \($0)" } ?? ""
        let wanted =
            switch danger.kind {
            case .destination:
                "the last \(danger.text.count) characters of the destination of call \(danger.call)\(member)"
            case .author: "the last \(danger.text.count) characters of the address that signs\(member)"
            case .method: "the name of the method, \(ScreenText.escape(danger.text)),"
            }
        terminal.write("This is dangerous. Type \(wanted) to go on: ")
        guard terminal.line() == danger.text else { throw InteractionError.declined }
    }
}
