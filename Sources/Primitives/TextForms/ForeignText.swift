/// Text that was chosen outside, written so that a screen cannot be mistaken in it: always in quotes that it cannot
/// close, on lines that a program has broken and marked.
///
///     ForeignText("hello").quoted                     // "hello"
///     ForeignText(remark).block(width: 40).lines      // │ "the first 36 characters of it and the
///                                                     // │ next"
///
/// What stands between the quotes reads back exactly: `\"`, `\\`, `\t` and `\n` as in most languages, `\u{hex}` for
/// what could hide, reorder or overwrite other text, `\{66 spaces}` for a run of spaces.
public struct ForeignText: Hashable, Sendable {
    /// The text as it came.
    public let text: String

    /// Takes text as it came.
    public init(_ text: String) {
        self.text = text
    }

    /// How much of a text is shown.
    public struct Limits: Hashable, Sendable {
        /// Characters as they are written, an escape being one.
        public var characters: Int
        /// Lines at the most.
        public var lines: Int

        /// Makes limits.
        public init(characters: Int, lines: Int) {
            self.characters = characters
            self.lines = lines
        }

        /// Limits for a screen.
        public static let usual = Limits(characters: 512, lines: 12)
    }

    /// Lines that hold a text and nothing else.
    public struct Block: Hashable, Sendable {
        /// Lines, each of which begins with ``ForeignText/gutter``.
        public var lines: [String]
        /// Whether the text goes on behind them.
        public var isCut: Bool
    }

    /// What each line of a block begins with.
    public static let gutter = "│ "
    /// The least width of a block: below it nothing sensible can be shown.
    public static let leastWidth = 24

    /// The whole text on one line.
    public var quoted: String {
        var shown = "\""
        for character in QuotedCharacters(text) { shown += character.shown }
        return shown + "\""
    }

    /// Whether the text may stand on one line with other words: without line breaks, and without letters that a
    /// terminal may write from right to left, words beside it included.
    public var isInline: Bool {
        !text.unicodeScalars.contains { $0 == "\n" || RightToLeft.contains($0) }
    }

    /// The text on lines of its own, with its line breaks, cut where it goes beyond the limits.
    ///
    /// - Parameter width: cells of a line; what is drawn is never wider, unless that is below ``leastWidth``.
    public func block(width: Int, limits: Limits = .usual) -> Block {
        // Cells for the quote and the dots behind the last character.
        let room = max(width, Self.leastWidth) - DisplayWidth.of(Self.gutter) - 2
        var lines: [String] = []
        var line = "\""
        var column = 1
        var count = 0
        var isBroken = false
        for character in QuotedCharacters(text) {
            if isBroken || column + character.width > room {
                guard lines.count + 1 < limits.lines else { return Self.cut(lines + [line]) }
                lines.append(line)
                (line, column) = ("", 0)
            }
            guard count < limits.characters else { return Self.cut(lines + [line]) }
            line += character.shown
            column += character.width
            count += 1
            isBroken = character.breaksLine
        }
        return Block(lines: (lines + [line + "\""]).map { Self.gutter + $0 }, isCut: false)
    }

    private static func cut(_ lines: [String]) -> Block {
        var lines = lines.map { gutter + $0 }
        lines[lines.count - 1] += "\"…"
        return Block(lines: lines, isCut: true)
    }
}
