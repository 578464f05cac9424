import Testing
import TextForms

@Suite("Text that is safe to show")
struct ScreenTextTests {
    @Test(
        "text that could hide or reorder other text is escaped",
        arguments: [
            ("plain text", "plain text"), ("a\u{202e}b", "a\\u{202e}b"), ("\u{200b}", "\\u{200b}"),
            ("a\nb", "a\\u{a}b"),
            ("é 漢 🙂", "é 漢 🙂"), ("\u{1b}[31m", "\\u{1b}[31m"), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
            ("\u{feff}\u{ad}\u{3164}", "\\u{feff}\\u{ad}\\u{3164}"), ("\u{2028}", "\\u{2028}"),
            ("\u{e0041}", "\\u{e0041}"),
        ])
    func escaping(text: String, shown: String) {
        #expect(ScreenText.escape(text) == shown)
    }

    @Test("newlines stay where a block of text is shown")
    func newlines() {
        #expect(ScreenText.escape("a\nb\u{7}", keepingNewlines: true) == "a\nb\\u{7}")
    }

    @Test(
        "JSON for a terminal has escapes of its own in place of what hides text, and its lines stay",
        arguments: [
            (#"{"a": "é 漢 🙂"}"#, #"{"a": "é 漢 🙂"}"#), ("{\n  \"a\": 1\n}", "{\n  \"a\": 1\n}"),
            ("[\"x\u{202e}y\"]", #"["x\u202ey"]"#), ("[\"\u{7f}\u{85}\"]", #"["\u007f\u0085"]"#),
            ("[\"\u{e0041}\"]", #"["\udb40\udc41"]"#),
        ])
    func escapingJSON(text: String, shown: String) {
        #expect(ScreenText.escape(json: text) == shown)
    }
}
