/// The characters of a text as they are written between quotes, one after the other.
struct QuotedCharacters: Sequence, IteratorProtocol {
    struct Element {
        var shown: String
        /// The width in cells of a terminal.
        var width: Int
        var breaksLine = false
    }

    /// Spaces behind each other that are written as such; more are counted.
    static let spaces = 4
    /// Marks drawn onto one character; more would be drawn onto the lines around it.
    static let marks = 4

    private var scalars: Substring.UnicodeScalarView
    private let escapesRightToLeft: Bool

    init(_ text: String, escapingRightToLeft: Bool = false) {
        scalars = text[...].unicodeScalars
        escapesRightToLeft = escapingRightToLeft
    }

    mutating func next() -> Element? {
        guard let scalar = scalars.popFirst() else { return nil }
        if scalar == " " { return space() }
        guard isWritten(scalar) else { return Element(escaping: scalar) }
        var element = Element(shown: String(scalar), width: DisplayWidth.of(scalar))
        var marks = 0
        while let mark = scalars.first, mark.isMark, marks < Self.marks, !ScreenText.isEscaped(mark) {
            element.shown.unicodeScalars.append(mark)
            element.width += DisplayWidth.of(mark)
            scalars.removeFirst()
            marks += 1
        }
        return element
    }

    /// A space, or the run of them that begins with it.
    private mutating func space() -> Element {
        let rest = scalars.prefix { $0 == " " }
        guard rest.count >= Self.spaces else { return Element(shown: " ", width: 1) }
        let count = rest.count + 1
        scalars = scalars[rest.endIndex...]
        let shown = "\\{\(count) spaces}"
        return Element(shown: shown, width: shown.utf8.count)
    }

    /// Whether a character stands for itself. A mark that is still there has nothing that it may be drawn onto.
    private func isWritten(_ scalar: Unicode.Scalar) -> Bool {
        !scalar.isMark && !scalar.looksLikeQuote && scalar != "\\" && !ScreenText.isEscaped(scalar)
            && !(escapesRightToLeft && RightToLeft.contains(scalar))
    }
}

extension QuotedCharacters.Element {
    fileprivate init(escaping scalar: Unicode.Scalar) {
        let shown =
            switch scalar {
            case "\n": "\\n"
            case "\t": "\\t"
            case "\"", "\\": "\\\(scalar)"
            default: "\\u{\(String(scalar.value, radix: 16))}"
            }
        self.init(shown: shown, width: shown.utf8.count, breaksLine: scalar == "\n")
    }
}

extension Unicode.Scalar {
    /// Whether it is drawn onto, or as one with, the character before it.
    fileprivate var isMark: Bool {
        if properties.isGraphemeExtend || properties.isEmojiModifier { return true }
        return switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .spacingMark: true
        default: false
        }
    }

    /// Whether it may be taken for the quote at the end of a text (what Unicode's confusables.txt lists for `"`, and
    /// what is drawn as two strokes).
    fileprivate var looksLikeQuote: Bool {
        switch value {
        case 0x22, 0x2ba, 0x2dd, 0x2ee, 0x2f5, 0x2f6, 0x5f2, 0x5f4, 0x1cd3, 0x201c...0x201f, 0x2033, 0x2034, 0x2036,
            0x2037,
            0x2057, 0x275d, 0x275e, 0x2760, 0x3003, 0x301d...0x301f, 0xff02, 0x1f676...0x1f678:
            true
        default: false
        }
    }
}

/// Letters that are written from right to left: terminals that know of it turn a line's order around them.
enum RightToLeft {
    /// Whether a character lies in a block that Unicode assigns to such letters, characters to come included
    /// (DerivedBidiClass.txt).
    static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
        default: false
        }
    }
}
