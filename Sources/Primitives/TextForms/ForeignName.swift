/// A name that was chosen outside: of a pallet, a field, a network, a token, a key. Names stand among a program's own
/// words, so one that is not plain is quoted.
public enum ForeignName {
    /// What a name may consist of to be shown without quotes.
    public enum Form: Sendable {
        /// ASCII letters, digits and `_`, as names of calls and of their arguments do.
        case identifier
        /// Characters of an identifier, single spaces and `-`, `.`, `/` and `:`, as titles and paths have them.
        case title
        /// Several words that a program has put together of its own and of names; other signs than quotes and brackets.
        case phrase
        /// What a library of this program has put together of its own words, of names in metadata and of amounts: also
        /// with signs and brackets, with a blank at its ends, and never with the marks that the screen itself puts
        /// behind addresses.
        case sentence
    }

    /// How the screen's own marks begin.
    private static let marks = ["(yours", "(unknown", "(contact"]

    /// Characters of a word that is shown without quotes. Addresses have more, so that none of them passes as a name.
    static let plainLength = 45
    /// Characters of a name that is shown in quotes, before it is cut.
    static let quotedLength = 60

    /// The name on one line: as it is where it has the form, else in quotes.
    public static func shown(_ name: String, as form: Form = .identifier) -> String {
        isPlain(name, form) ? name : quoted(name)
    }

    /// Whether a symbol of a token may stand behind a number as it is: digits at its beginning would lengthen that.
    package static func isPlainSymbol(_ symbol: String) -> Bool {
        isPlain(symbol, .identifier) && symbol.utf8.first.map(isDigit) == false
    }

    private static func isPlain(_ name: String, _ form: Form) -> Bool {
        if form == .sentence { return isSentence(name) }
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 1 || form != .identifier, form == .phrase || name.utf8.count <= plainLength else {
            return false
        }
        return words.allSatisfy { word in
            (1...plainLength).contains(word.utf8.count) && word.unicodeScalars.allSatisfy { isPlain($0, form) }
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar, _ form: Form) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        case "-", ".", "/", ":": form != .identifier
        case ",", ";", "+", "%", "#", "&", "=", "'", "×": form == .phrase
        default: false
        }
    }

    private static func isSentence(_ text: String) -> Bool {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        return words.dropFirst().dropLast().allSatisfy { !$0.isEmpty }
            && words.allSatisfy { $0.utf8.count <= plainLength }
            && text.unicodeScalars.allSatisfy { (" "..."~").contains($0) && $0 != "\"" && $0 != "\\" || $0 == "×" }
            && !marks.contains { text.lowercased().contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func quoted(_ name: String) -> String {
        var shown = "\""
        var count = 0
        for character in QuotedCharacters(name, escapingRightToLeft: true) {
            guard count < quotedLength else { return shown + "\"…" }
            shown += character.shown
            count += 1
        }
        return shown + "\""
    }
}
