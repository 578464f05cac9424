import TextForms

/// Asks for a yes on the terminal.
package enum Question {
    private static let wanted = "Type yes to go on: "

    /// Asks anew, whatever was typed before it was asked.
    ///
    /// - Throws: ``InteractionError/declined`` for any answer but `yes`.
    package static func confirm(_ question: String) throws {
        guard let terminal = Terminal() else { throw InteractionError.noTerminalForQuestion }
        terminal.discardTyped()
        terminal.write("\(ScreenText.escape(question)) \(wanted)")
        guard terminal.line()?.lowercased() == "yes" else { throw InteractionError.declined }
    }

    /// Rows that questions take up with their answers.
    package static func rows(_ questions: [String], columns: Int) -> Int {
        questions.reduce(0) { $0 + 1 + (DisplayWidth.of($1) + wanted.utf8.count) / columns }
    }
}
