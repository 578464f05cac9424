#if canImport(CGIO)
    import Foundation
    import TestSupport
    import Testing
    import TextForms
    import WindowTestSupport

    /// How often a secret lies in the memory of a program that has it typed or shows it. The program looks through all
    /// of its own memory, for UTF-8, UTF-16, UTF-32 and wider; assistive technology listens all the while.
    @Suite("Secrets in a window", .serialized, .enabled(if: Desktop.obstacle == nil, "\(Desktop.obstacle ?? "")"))
    struct SecretMemoryTests {
        private static let passphrase = "zebra mango+quilt42"
        // Words of no list: those that every program has in its memory would be counted.
        private static let phrase = "vorpelt quanzip drabbish wexfolt gimblor travenk"

        private func host() throws -> DrivenWindow {
            func masked(_ text: String) -> String { Hex.encode(text.utf8.map { $0 ^ 0x5a }) }
            return try DrivenWindow(
                ChildProgram.built("SecretsTestHost"), [masked(Self.passphrase), masked(Self.phrase)], on: Desktop())
        }

        private func typePassphrase(in window: DrivenWindow) throws {
            try window.type(Self.passphrase)
            try window.sees("changes: \(Self.passphrase.count)")
        }

        private func press(_ button: String, seeing text: String, in window: DrivenWindow) throws {
            try window.press(button)
            try window.sees(text)
        }

        @Test(
            "a passphrase is in memory once while it stands in its field, in locked memory, and not at all afterwards")
        func typing() throws {
            let window = try host()
            try press("Count typed", seeing: "locked 0, elsewhere 0", in: window)
            try typePassphrase(in: window)
            try press("Count typed", seeing: "locked 1, elsewhere 0", in: window)
            try press("Clear", seeing: "cleared", in: window)
            try press("Count typed", seeing: "locked 0, elsewhere 0", in: window)
            try typePassphrase(in: window)
            try press("Take", seeing: "taken", in: window)
            try press("Count typed", seeing: "locked 1, elsewhere 0", in: window)
            try press("Let go", seeing: "gone", in: window)
            try press("Count typed", seeing: "locked 0, elsewhere 0", in: window)
        }

        @Test("a phrase is in memory once while it is shown, in locked memory, and not at all when it is hidden")
        func showing() throws {
            let window = try host()
            try press("Count shown", seeing: "locked 0, elsewhere 0", in: window)
            try press("Show the words", seeing: "Hide the words", in: window)
            try press("Count shown", seeing: "locked 1, elsewhere 0", in: window)
            try press("Hide the words", seeing: "The words are hidden.", in: window)
            try press("Count shown", seeing: "locked 0, elsewhere 0", in: window)
        }

        @Test("an ordinary field of the library keeps what is typed where the count finds it")
        func countFinds() throws {
            let window = try host()
            try press("Add an ordinary field", seeing: "added", in: window)
            try typePassphrase(in: window)
            try window.press("Count typed")
            let text = try window.sees("elsewhere")
            #expect(!text.contains("elsewhere 0"))
        }

        @Test("nothing that is typed or shown is told to assistive technology")
        func staysSilent() throws {
            let window = try host()
            try typePassphrase(in: window)
            try window.keys("Return")
            try window.sees("Enter")
            try window.press("Show the words")
            try window.sees("Hide the words")
            let told = try window.tree(hidden: true).all.flatMap(\.words).joined(separator: "\n")
            for word in Self.phrase.split(separator: " ") + Self.passphrase.split(separator: " ") {
                #expect(!told.contains(word))
            }
        }
    }
#endif
