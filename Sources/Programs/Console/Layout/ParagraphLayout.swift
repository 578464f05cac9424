import TextForms

/// Breaks one paragraph into lines.
struct ParagraphLayout {
    private let width: Int
    private let style: Style
    private let hanging: Int
    private var lines: [String] = []
    private var spans: [(text: String, emphasis: Style.Emphasis?)] = []
    private var column: Int
    /// Columns where the text of the present line begins.
    private var start: Int
    /// Spaces that stand before the next word, if that is on the same line.
    private var spaces = 0

    /// Room that an indentation leaves on a terminal that has it: an address and some more.
    private static let usualRoom = 50

    init(_ paragraph: Paragraph, width: Int, style: Style) {
        self.width = width
        self.style = style
        let deepest = max(width - Self.usualRoom, width / 4)
        hanging = min(paragraph.hanging, deepest)
        start = min(paragraph.indent, deepest)
        column = start
        // Deeper than there is room for: how much deeper is said.
        if paragraph.indent > deepest { put(.words("[+\(paragraph.indent - deepest)] ", .dim)) }
    }

    mutating func end() -> [String] {
        if !spans.isEmpty || lines.isEmpty { breakLine() }
        return lines
    }

    mutating func put(_ piece: Paragraph.Piece) {
        switch piece {
        case .words(let text, let emphasis): put(words: ScreenText.escape(text), emphasis: emphasis)
        case .whole(let text, let emphasis): put(word: ScreenText.escape(text), emphasis: emphasis)
        case .foreign(let text, let limits, let rest): put(text, limits: limits, rest: rest)
        }
    }

    private mutating func put(words text: String, emphasis: Style.Emphasis?) {
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { spaces += 1 }
            if !word.isEmpty { put(word: String(word), emphasis: emphasis) }
        }
    }

    /// Text that is broken only where it is longer than a line; one that the indentation leaves no room for is moved to
    /// the left.
    private mutating func put(word: String, emphasis: Style.Emphasis?) {
        let size = DisplayWidth.of(word)
        if !spans.isEmpty, column + spaces + size > width { breakLine() }
        if spans.isEmpty, !lines.isEmpty { spaces = 0 }
        if spans.isEmpty, column + size > width, size <= width {
            // A cell is left for a comma behind it.
            start = max(0, width - size - 1)
            column = start
        }
        if column + spaces + size <= width {
            write(String(repeating: " ", count: spaces) + word, size: spaces + size, emphasis: emphasis)
        } else {
            for part in parts(of: word) {
                if !spans.isEmpty { breakLine() }
                write(part, size: DisplayWidth.of(part), emphasis: emphasis)
            }
        }
        spaces = 0
    }

    /// The parts of a word, each as much as fits a line.
    private func parts(of word: String) -> [String] {
        let room = width - max(start, hanging)
        var parts = [""]
        var used = 0
        for character in word {
            let size = DisplayWidth.of(String(character))
            if used + size > room {
                parts.append("")
                used = 0
            }
            parts[parts.count - 1].append(character)
            used += size
        }
        return parts
    }

    private mutating func put(_ text: ForeignText, limits: ForeignText.Limits, rest: () -> [Paragraph.Piece]) {
        if text.text.utf8.count <= min(width, limits.characters), text.isInline {
            let quoted = text.quoted
            if column + spaces + DisplayWidth.of(quoted) <= width { return put(word: quoted, emphasis: nil) }
        }
        if !spans.isEmpty { breakLine() }
        let margin = min(hanging, width - ForeignText.leastWidth)
        let block = text.block(width: width - margin, limits: limits)
        for line in block.lines {
            start = margin
            write(ForeignText.gutter, size: DisplayWidth.of(ForeignText.gutter), emphasis: .dim)
            let shown = line.unicodeScalars.dropFirst(ForeignText.gutter.unicodeScalars.count)
            write(String(shown), size: 0, emphasis: nil)
            breakLine()
        }
        guard block.isCut else { return }
        for piece in rest() { put(piece) }
        if !spans.isEmpty { breakLine() }
    }

    private mutating func write(_ text: String, size: Int, emphasis: Style.Emphasis?) {
        column += size
        if let last = spans.last, last.emphasis == emphasis {
            spans[spans.count - 1].text += text
        } else {
            spans.append((text, emphasis))
        }
    }

    private mutating func breakLine() {
        let text = spans.map { style.apply($0.emphasis, to: $0.text) }.joined()
        lines.append(text.isEmpty ? "" : String(repeating: " ", count: start) + text)
        spans = []
        start = hanging
        column = hanging
        spaces = 0
    }
}
