import BasicFoundation
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

    /// Shows on the terminal what a person decides by, whatever becomes of standard output, and asks directly below it;
    /// anew, where the screen has changed its size meanwhile.
    ///
    /// - Parameters:
    ///   - shown: what decides.
    ///   - before: questions that ``ask`` puts before the yes, as long as they are open.
    ///   - ask: asks them.
    /// - Throws: ``InteractionError``.
    package static func confirm(
        _ question: String, below shown: [Paragraph], after before: () -> [String] = { [] },
        asking ask: (Terminal) throws -> Void = { _ in }
    ) throws {
        guard let terminal = Terminal() else { throw InteractionError.noTerminalForQuestion }
        // What is printed stands before what is asked.
        fflush(nil)
        let style = Style(enabled: Terminal.environmentTakesColour)
        while true {
            let others = before()
            let reserved = rows([question] + others, columns: terminal.size.columns)
            let reading = try PagedReading(on: terminal, reserving: reserved) {
                shown.lines(width: $0, style: style) + [""]
            }
            try reading.show()
            try ask(terminal)
            if !reading.fits { continue }
            if !others.isEmpty { reading.showEnd() }
            return try confirm(question)
        }
    }

    /// Rows that questions take up with their answers.
    static func rows(_ questions: [String], columns: Int) -> Int {
        questions.reduce(0) { $0 + 1 + (DisplayWidth.of($1) + wanted.utf8.count) / columns }
    }
}
