/// Symbols as terminal text: two modules in a character cell.
public enum QRText {
    /// How modules become characters.
    public enum Style: Sendable {
        /// Black on white by colour codes, whatever the terminal's own colours are.
        case coloured
        /// Block characters alone: light modules are drawn, as on a dark terminal.
        case plain
    }

    /// Character cells that a symbol takes.
    public static func size(of symbol: QRSymbol, border: Int = 4) -> (columns: Int, rows: Int) {
        let side = symbol.size + 2 * border
        return (side, (side + 1) / 2)
    }

    /// Lines, each ended by a line break.
    public static func lines(_ symbol: QRSymbol, border: Int = 4, style: Style) -> String {
        let side = symbol.size + 2 * border
        var text = ""
        for row in stride(from: 0, to: side, by: 2) {
            if style == .coloured { text += "\u{1b}[38;5;16;48;5;231m" }
            for column in 0..<side {
                let upper = symbol[column - border, row - border]
                // Below the last row of an odd side there is nothing: light.
                let lower = symbol[column - border, row + 1 - border]
                text += cell(upper: upper, lower: lower, style: style)
            }
            text += style == .coloured ? "\u{1b}[0m\n" : "\n"
        }
        return text
    }

    private static func cell(upper: Bool, lower: Bool, style: Style) -> String {
        // Coloured cells draw what is dark, plain ones what is light.
        let draws = style == .coloured ? (upper, lower) : (!upper, !lower)
        return switch draws {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
    }
}
