import ArgumentParser
import BasicFoundation
import TextForms

/// How results are printed: for people, or as one JSON value for machines.
package struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON value for machines instead of text for people.")
    package var json = false

    package init() {}

    /// Prints `value` as JSON with sorted keys, so that equal results are equal bytes. What could hide or reorder text
    /// on a terminal is written as `\uXXXX`.
    package func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(ScreenText.escape(json: String(decoding: try encoder.encode(value), as: UTF8.self)))
    }

    /// Prints `value` as JSON where that is asked for, else the text; a list without entries prints no line.
    package func show(_ value: some Encodable, text: @autoclosure () -> String) throws {
        guard !json else { return try printJSON(value) }
        let words = text()
        if !words.isEmpty { print(words) }
    }
}
