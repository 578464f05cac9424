import TextForms

/// Something to print that the program itself breaks into lines: where a terminal broke them, text from outside could
/// begin a line and pass for the program's own.
package struct Paragraph {
    /// Columns before the first line.
    package var indent: Int
    /// Columns before the lines that follow.
    package var hanging: Int
    package var pieces: [Piece]

    package enum Piece {
        /// The program's own words and names (``ForeignName``), broken at spaces.
        case words(String, Style.Emphasis? = nil)
        /// What must not be broken where a line of its own holds it: an address, a hash, an amount.
        case whole(String, Style.Emphasis? = nil)
        /// Text that was chosen outside, in quotes; on lines of its own where it does not fit the line.
        ///
        /// - Parameter rest: what is said behind a text that is cut.
        case foreign(ForeignText, limits: ForeignText.Limits, rest: () -> [Piece])
    }

    package init(indent: Int = 0, hanging: Int? = nil, _ pieces: [Piece]) {
        self.indent = indent
        self.hanging = hanging ?? indent + 2
        self.pieces = pieces
    }

    /// A line that is empty.
    package static var blank: Paragraph { Paragraph([]) }

    package static func heading(_ text: String) -> Paragraph { Paragraph([.words(text, .bold)]) }

    /// No line is wider than `width` cells, nor than ``ForeignText/leastWidth`` below that.
    package func lines(width: Int, style: Style) -> [String] {
        var layout = ParagraphLayout(self, width: max(width, ForeignText.leastWidth), style: style)
        for piece in pieces { layout.put(piece) }
        return layout.end()
    }
}

extension [Paragraph] {
    package func lines(width: Int, style: Style) -> [String] { flatMap { $0.lines(width: width, style: style) } }

    /// The lines as standard output shows them.
    package var text: String { lines(width: Terminal.outputWidth, style: .output).joined(separator: "\n") }
}
