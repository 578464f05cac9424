import ArgumentParser
import BasicFoundation
import Synchronization
import TextForms

/// The exit codes of a program, as an enumeration. Its cases' names are printed, and so an interface
/// (docs/exit-codes.md).
package protocol NamedStatus: RawRepresentable<Int32> {}

extension NamedStatus {
    /// A stable name for what has none of its own.
    package var name: String {
        let name = "\(self)"
        return name.prefix(1).uppercased() + name.dropFirst()
    }
}

/// How results are printed: for people, or as one JSON value for machines.
package struct OutputOptions: ParsableArguments {
    @Flag(name: .long, help: "Print one JSON value for machines instead of text for people.")
    package var json = false

    package init() {}

    private static let hasPrinted = Atomic(false)

    /// Prints `value` as JSON with sorted keys, so that equal results are equal bytes. What could hide or reorder text
    /// on a terminal is written as `\uXXXX`.
    package func printJSON(_ value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        print(ScreenText.escape(json: String(decoding: try encoder.encode(value), as: UTF8.self)))
        Self.hasPrinted.store(true, ordering: .relaxed)
    }

    /// Prints a failure as the one value where JSON is asked for, also by arguments that were not understood. What
    /// fails behind a value that was printed is in that one.
    ///
    /// - Parameters:
    ///   - message: what is said to people on standard error.
    ///   - code: the failure's stable name.
    package static func printFailure(_ message: String, code: String) {
        guard CommandLine.arguments.prefix(while: { $0 != "--" }).contains("--json"),
            !hasPrinted.load(ordering: .relaxed)
        else { return }
        try? Self().printJSON(["error": code, "message": message])
    }

    /// The name of a failure that is none of one command's: of the arguments.
    package static let wrongUsage = "usage"

    /// What help says of it.
    package static let failureHelp = """
        With --json, what fails before a value was printed prints an object: "error" is a stable name, "message" what \
        standard error says.
        """

    /// Prints `value` as JSON where that is asked for, else the text; a list without entries prints no line.
    package func show(_ value: some Encodable, text: @autoclosure () -> String) throws {
        guard !json else { return try printJSON(value) }
        let words = text()
        if !words.isEmpty { print(words) }
    }
}
