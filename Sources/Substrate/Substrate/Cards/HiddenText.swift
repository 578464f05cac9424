import TextForms

/// Finds text that does not show as what it is.
package enum HiddenText {
    /// Whether a card is a text or a byte string that holds control, bidirectional or invisible characters, or blanks
    /// enough to push what follows out of sight.
    package static func isIn(_ card: Card) -> Bool {
        switch card.kind {
        case .text(let text): hides(text)
        case .bytes(let bytes, nil): hides(bytes)
        case .bytes(_, let text?): hides(text)
        default: false
        }
    }

    /// Whether a text holds such characters or blanks.
    package static func hides(_ text: String) -> Bool {
        if hasRunOfBlanks(text) { return true }
        return !text.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x0a || $0 == 0x09 }
            && ScreenText.escape(text, keepingNewlines: true) != text
    }

    /// Eight blanks in a row, or two that move further than one column: tabs, ends of lines, spaces of other scripts.
    private static func hasRunOfBlanks(_ text: String) -> Bool {
        var run = 0
        for scalar in text.unicodeScalars {
            guard scalar.properties.isWhitespace || scalar == "\u{2800}" || scalar == "\u{3164}" else {
                run = 0
                continue
            }
            run += scalar == " " ? 1 : 4
            if run >= 8 { return true }
        }
        return false
    }

    /// Binary data hold control characters by nature; only what is text for the most part can mislead a reader.
    private static func hides(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else { return false }
        let printable = text.unicodeScalars.count { $0.value >= 0x20 && !(0x7f...0x9f).contains($0.value) }
        return 2 * printable > text.unicodeScalars.count && hides(text)
    }
}
