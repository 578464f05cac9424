import Console
import Signer
import Substrate

/// Asks for a yes on the terminal.
enum Question {
    /// - Throws: ``Failure/declined`` for any answer but `yes`.
    static func confirm(_ question: String) throws {
        guard let terminal = Terminal() else { throw Failure.noTerminalForQuestion }
        terminal.write("\(ScreenText.escape(question)) Type yes to go on: ")
        guard terminal.line()?.lowercased() == "yes" else { throw Failure.declined }
    }

    /// Asks for what only somebody who has looked can type.
    ///
    /// - Throws: ``Failure/declined`` for anything else.
    static func confirm(danger: Confirmation) throws {
        guard let terminal = Terminal() else { throw Failure.noTerminalForQuestion }
        let member = danger.member.map { " in transaction \($0)" } ?? ""
        let wanted =
            switch danger.kind {
            case .destination:
                "the last \(danger.text.count) characters of the destination of call \(danger.call)\(member)"
            case .method: "the name of the method, \(ScreenText.escape(danger.text)),"
            }
        terminal.write("This is dangerous. Type \(wanted) to go on: ")
        guard terminal.line() == danger.text else { throw Failure.declined }
    }
}
