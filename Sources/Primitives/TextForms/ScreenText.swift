/// Makes text from outside safe to show: what could hide, reorder or overwrite other text is written as `\u{…}`
/// (`signer-wire` section 6.8).
public enum ScreenText {
    /// `text` with control, format (bidirectional, zero-width), line-separating, private and unassigned characters
    /// written as `\u{hex}`. Line forms in tests stay unescaped; screens and terminals show this.
    ///
    /// - Parameter keepingNewlines: leaves newline as it is, for text that is shown as a block.
    public static func escape(_ text: String, keepingNewlines: Bool = false) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7e).contains($0) || (keepingNewlines && $0 == 0x0a) }) { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            if !isEscaped(scalar) || (keepingNewlines && scalar == "\n") {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
        return shown
    }

    /// A JSON text with the same characters written as JSON's `\uXXXX`, so that a terminal may show it. It says what it
    /// said before.
    package static func escape(json text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x7f }) { return text }
        var shown = ""
        for scalar in text.unicodeScalars {
            // What JSON lays its lines out by is below, and stands in no string of it.
            guard scalar.value >= 0x7f, isEscaped(scalar) else {
                shown.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return shown
    }

    static func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7e).contains(scalar.value) { return false }
        if isInvisible(scalar) { return true }
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate, .privateUse,
            .unassigned:
            return true
        default: return false
        }
    }

    /// Letters and marks that draw nothing although their category says that they do.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.value == 0x2800
    }
}
