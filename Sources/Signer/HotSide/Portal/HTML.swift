import TextForms

/// A piece of a page. Text from outside gets into one only by interpolation, which escapes it; the words around it are
/// the source's own.
///
///     let cell: HTML = "<td>\(network.title)</td>"
struct HTML: ExpressibleByStringInterpolation, Hashable, Sendable {
    let source: String

    init(stringLiteral value: String) { source = value }

    init(stringInterpolation: Interpolation) { source = stringInterpolation.source }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var source = ""

        init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { source += literal }

        /// Text, in content and in attributes that stand in quotes.
        mutating func appendInterpolation(_ text: String) { source += HTML.escape(text) }

        mutating func appendInterpolation(_ number: some BinaryInteger) { source += "\(number)" }

        mutating func appendInterpolation(_ piece: HTML) { source += piece.source }

        mutating func appendInterpolation(_ pieces: [HTML]) {
            for piece in pieces { source += piece.source }
        }
    }

    /// Text with what has a meaning in HTML written as references. What could hide or reorder other text is made
    /// visible first.
    private static func escape(_ text: String) -> String {
        var source = ""
        for character in ScreenText.escape(text).unicodeScalars {
            switch character {
            case "&": source += "&amp;"
            case "<": source += "&lt;"
            case ">": source += "&gt;"
            case "\"": source += "&quot;"
            case "'": source += "&#39;"
            default: source.unicodeScalars.append(character)
            }
        }
        return source
    }
}
