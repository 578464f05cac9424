import TextForms

/// Asks for a yes on the terminal.
package enum Question {
    /// - Throws: ``InteractionError/declined`` for any answer but `yes`.
    package static func confirm(_ question: String) throws {
        guard let terminal = Terminal() else { throw InteractionError.noTerminalForQuestion }
        terminal.write("\(ScreenText.escape(question)) Type yes to go on: ")
        guard terminal.line()?.lowercased() == "yes" else { throw InteractionError.declined }
    }
}
