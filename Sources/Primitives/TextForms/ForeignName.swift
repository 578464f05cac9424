/// A name that somebody outside chose: of a pallet, a field, a network, a token, a key. Names stand among a program's own words, so one
/// that is not plain is quoted.
public enum ForeignName {
    /// Characters of a name that is shown without quotes. Addresses have more, so that none of them passes as a name.
    static let plainLength = 45
    /// Characters of a name that is shown in quotes, before it is cut.
    static let quotedLength = 60

    /// The name on one line: as it is where it holds ASCII letters, digits and `_` alone, as names of calls and their arguments do.
    ///
    /// - Parameter isTitle: takes single spaces and `-`, `.`, `/` and `:` as well, as titles and paths have them.
    public static func shown(_ name: String, isTitle: Bool = false) -> String {
        isPlain(name, isTitle: isTitle) ? name : quoted(name)
    }

    /// The symbol of a token, which stands behind a number: digits at its beginning would lengthen that.
    public static func symbol(_ symbol: String) -> String {
        isPlain(symbol, isTitle: false) && symbol.utf8.first.map(isDigit) == false ? symbol : quoted(symbol)
    }

    private static func isPlain(_ name: String, isTitle: Bool) -> Bool {
        let bytes = Array(name.utf8)
        guard (1...plainLength).contains(bytes.count), bytes.first != space, bytes.last != space else { return false }
        return bytes.indices.allSatisfy { index in
            switch bytes[index] {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: ":"): isTitle
            case space: isTitle && bytes[index + 1] != space
            case let byte: isDigit(byte)
            }
        }
    }

    private static let space = UInt8(ascii: " ")

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
