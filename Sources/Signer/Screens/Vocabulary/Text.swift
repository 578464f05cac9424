import TextForms

/// Words on a page. What comes from outside is escaped where it is put in, so that no label of a window can be made to
/// say something else: a name that is not plain stands in quotes, what hides or reorders text is written as an escape.
///
///     Text("Forget \(name)?")                      // Forget savings?        Forget "Press OK\u{202e}"?
///     Text("\(count) calls on \(network.title)")
///
/// Interpolated text is always taken for foreign; what the program itself wrote elsewhere goes in by `own:`.
package struct Text: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// How a part of a text looks. None of them alone carries a meaning.
    package enum Style: Hashable, Sendable {
        case plain, strong, dim
        /// Each character as wide as the next: addresses, hashes, paths, bytes.
        case monospaced
    }

    /// A part of a text.
    package struct Run: Hashable, Sendable {
        package var text: String
        package var style: Style
    }

    /// The parts in order. What they hold is safe to show as it is.
    package private(set) var runs: [Run] = []

    /// All of it without its looks.
    package var plain: String { runs.map(\.text).joined() }
    package var isEmpty: Bool { runs.allSatisfy(\.text.isEmpty) }

    package init() {}
    package init(stringLiteral value: String) { append(value, .plain) }
    package init(stringInterpolation: Interpolation) { runs = stringInterpolation.text.runs }

    /// Takes words of this program, such as messages of its errors. What they quote from outside is escaped already;
    /// what should have been is escaped here.
    package init(own text: String, _ style: Style = .plain) { append(ScreenText.escape(text), style) }

    /// Takes a name from outside: as it is where it is plain, else in quotes.
    package init(name: String, as form: ForeignName.Form = .title, _ style: Style = .plain) {
        append(name.isEmpty ? "" : ForeignName.shown(name, as: form), style)
    }

    /// Takes text from outside that fits a line, always in quotes. What has line breaks is a ``ForeignBlock``.
    package init(quoting text: String, _ style: Style = .plain) {
        append(ScreenText.escape(ForeignText(text).quoted), style)
    }

    /// Takes a name or a sentence from outside: as it is where it could be a title, else all of it in quotes.
    package init(title text: String, _ style: Style = .plain) {
        let isPlain = text.isEmpty || ForeignName.shown(text, as: .title) == text
        self = isPlain ? Text(own: text, style) : Text(quoting: text, style)
    }

    /// Takes an address in groups of four characters, or as it stands.
    package init(address: String, grouped: Bool = true) {
        append(ScreenText.escape(grouped ? Self.grouped(address) : address), .monospaced)
    }

    /// Takes bytes as hex with 0x.
    package init(hex digits: String) { append(ScreenText.escape("0x" + digits), .monospaced) }

    package static func + (left: Text, right: Text) -> Text {
        var sum = left
        for run in right.runs { sum.append(run.text, run.style) }
        return sum
    }

    package static func += (left: inout Text, right: Text) { left = left + right }

    /// The same words in one look.
    package func styled(_ style: Style) -> Text {
        var text = Text()
        for run in runs { text.append(run.text, style) }
        return text
    }

    private mutating func append(_ text: String, _ style: Style) {
        guard !text.isEmpty else { return }
        if let last = runs.last, last.style == style {
            runs[runs.count - 1].text += text
        } else {
            runs.append(Run(text: text, style: style))
        }
    }

    private static func grouped(_ text: String) -> String {
        var shown = ""
        for (index, character) in text.enumerated() {
            if index > 0, index.isMultiple(of: 4) { shown.append(" ") }
            shown.append(character)
        }
        return shown
    }

    /// Builds a text of literals and what is put between them.
    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = Text()

        package init(literalCapacity: Int, interpolationCount: Int) {}
        package mutating func appendLiteral(_ literal: String) { text.append(literal, .plain) }
        /// A name from outside.
        package mutating func appendInterpolation(_ name: String) { text += Text(name: name) }
        /// A name from outside, of another form.
        package mutating func appendInterpolation(_ name: String, as form: ForeignName.Form) {
            text += Text(name: name, as: form)
        }
        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text.append(String(number), .plain)
        }
        package mutating func appendInterpolation(own words: String) { text += Text(own: words) }
        package mutating func appendInterpolation(_ part: Text) { text += part }
    }
}
