import Foundation
import TestSupport
import Testing
import TextForms

@Suite("The width of text on a terminal")
struct DisplayWidthTests {
    @Test(
        "is counted in cells",
        arguments: [
            ("", 0), ("plain", 5), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｗｉｄｅ", 8), ("한글", 4), ("ｶﾅ", 2), ("🙂", 2),
            ("│", 1), ("…", 1), ("ไทย", 3), ("שלום", 4), ("\u{3000}", 2), ("\u{1f7e9}", 2),
        ])
    func known(text: String, width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    /// Terminals that join emoji need less.
    @Test("of what is joined is counted apart, since not every terminal joins it")
    func joined() {
        #expect(DisplayWidth.of("🇩🇪") == 4 && DisplayWidth.of("👍🏽") == 4)
    }

    /// For every character that is shown as it is. Python's wcwidth knows each by Unicode's tables.
    @Test("is never less than Python's wcwidth counts, and for letters the same", .enabled(if: PythonWidths.isThere))
    func python() throws {
        var narrower: [String] = []
        var larger = 0
        for (value, width) in try PythonWidths.all() {
            guard let scalar = Unicode.Scalar(value), ScreenText.escape(String(scalar)) == String(scalar) else {
                continue
            }
            let ours = DisplayWidth.of(scalar)
            if ours < width { narrower.append(String(value, radix: 16)) }
            if ours > width { larger += 1 }
            if value < 0x900, scalar.properties.isAlphabetic { #expect(ours == width, "\(String(value, radix: 16))") }
        }
        #expect(narrower.isEmpty, "\(narrower.prefix(20))")
        // Spacing marks, emoji drawn as text, and the gaps of the table.
        #expect(larger < 1500, "\(larger)")
    }

    @Test("a text is filled up to so many cells, and a wider one stays as it is")
    func padded() {
        #expect(DisplayWidth.padded("ab", to: 4) == "ab  ")
        #expect(DisplayWidth.padded("文", to: 4) == "文  ")
        #expect(DisplayWidth.padded("abcde", to: 4) == "abcde")
    }
}

/// What the Python package wcwidth says of each character.
private enum PythonWidths {
    static let isThere = (try? run("import wcwidth")) != nil

    /// Runs of characters of one width, each with its first and its last one.
    private static let script = """
        import itertools, wcwidth
        for width, run in itertools.groupby(range(0x20, 0x110000), lambda c: wcwidth.wcwidth(chr(c))):
            run = list(run)
            print(run[0], run[-1], width)
        """

    static func all() throws -> [(UInt32, Int)] {
        try run(script).split(separator: "\n").flatMap { line -> [(UInt32, Int)] in
            let words = line.split(separator: " ")
            guard words.count == 3, let first = UInt32(words[0]), let last = UInt32(words[1]), let width = Int(words[2])
            else { return [] }
            return (first...last).map { ($0, width) }
        }
    }

    private static func run(_ script: String) throws -> String {
        String(decoding: try Tool.run("/usr/bin/env", ["python3", "-c", script]), as: UTF8.self)
    }
}
