import ArgumentParser
import Foundation

/// How results are printed: for people, or as one JSON value for machines.
struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON value for machines instead of text for people.")
    var json = false

    /// Prints `value` as JSON with sorted keys, so that equal results are equal bytes.
    func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Prints `value` as JSON where that is asked for, else the text.
    func show(_ value: some Encodable, text: @autoclosure () -> String) throws {
        if json { try printJSON(value) } else { print(text()) }
    }
}
