import Substrate

/// Asks for a yes on the terminal.
enum Question {
    /// - Throws: ``Failure/declined`` for any answer but `yes`.
    static func confirm(_ question: String) throws {
        guard let terminal = Terminal() else { throw Failure.noTerminalForQuestion }
        terminal.write("\(ScreenText.escape(question)) Type yes to go on: ")
        guard terminal.line()?.lowercased() == "yes" else { throw Failure.declined }
    }
}
