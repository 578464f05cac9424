import Foundation
import TestSupport
import Testing

@Suite("The words of a seed on the terminal")
struct SeedWordsTests {
    /// What switches to the terminal's other screen and back.
    static let (otherScreen, firstScreen) = ("\u{1b}[?1049h", "\u{1b}[?1049l")

    /// The part of what was printed that stays in the scroll-back.
    private func remaining(_ shown: String) -> String {
        var parts = shown.components(separatedBy: Self.otherScreen)
        let first = parts.removeFirst()
        return first + parts.map { $0.components(separatedBy: Self.firstScreen).dropFirst().joined() }.joined()
    }

    @Test("a new seed is stored when the person says that the words are written down, which do not stay on the screen")
    func new() throws {
        let vault = try DemoVault()
        let session = try TerminalSession(
            DemoVault.casemate, ["seed", "new", "paper", "--words", "12", "--vault", vault.folder])
        try session.wait(for: "Type yes when you have written it down")
        #expect(try vault.run(["seed", "list"]).output.contains("paper") == false)
        try session.type("no")
        // It is taken away, and another one waited for.
        try session.wait(for: "\u{8} \u{8}\u{8} \u{8}")
        try session.type("yes")
        try session.wait(for: "Seed paper made.")
        #expect(session.exitCode() == 0)
        let shown = try session.shown()
        let words = try vault.unlocked(["seed", "show", "paper", "--phrase-fd", "4"], taking: [4]).taken[4]?
            .split(whereSeparator: \.isWhitespace)
        for (number, word) in try #require(words).enumerated() {
            #expect(shown.contains("\(number + 1) \(word)"))
            #expect(!remaining(shown).contains("\(number + 1) \(word)"))
        }
    }

    @Test("who leaves instead has no new seed")
    func cancelled() throws {
        let vault = try DemoVault()
        let session = try TerminalSession(DemoVault.casemate, ["seed", "new", "paper", "--vault", vault.folder])
        try session.wait(for: "Type yes when you have written it down")
        try session.type("\u{3}")
        #expect(session.exitCode() == 4)
        #expect(try vault.run(["seed", "list"]).output.contains("paper") == false)
    }

    @Test("the words of a stored seed are shown after the PIN and an entry in the log, and are gone with a key")
    func show() throws {
        let vault = try DemoVault("--pin")
        let session = try TerminalSession(DemoVault.casemate, ["seed", "show", "demo", "--vault", vault.folder])
        try session.wait(for: "PIN:")
        try session.type(DemoVault.pin)
        try session.wait(for: "1 bottom")
        try session.wait(for: "12 walk")
        try session.wait(for: "Any key goes on")
        let log = try vault.unlocked(["log", "show"])
        #expect(log.output.contains("SeedNameWasShown"), "on disk before the words are shown: \(log.errors)")
        try session.type("")
        try session.wait(for: "were shown")
        #expect(session.exitCode() == 0)
        let shown = try session.shown()
        #expect(!remaining(shown).contains("bottom"))
        let behind = try #require(shown.components(separatedBy: "12 walk").last)
        #expect(behind.contains(EndedTerminalTests.erased), "a terminal may have no other screen")
    }

    @Test(
        "whoever locks the vault takes them from every screen, old ones and those that are not stored yet",
        arguments: [["show", "demo"], ["new", "paper", "--words", "12"]])
    func locked(_ words: [String]) throws {
        let vault = try DemoVault("--pin")
        let session = try TerminalSession(DemoVault.casemate, ["seed"] + words + ["--vault", vault.folder])
        try session.wait(for: "PIN:")
        try session.type(DemoVault.pin)
        try session.wait(for: words[0] == "show" ? "Any key goes on" : "Type yes when")
        let locked = try vault.run(["lock"])
        #expect(locked.exitCode == 0, "\(locked.errors)")
        try session.wait(for: EndedTerminalTests.erased)
        #expect(session.exitCode() == (words[0] == "show" ? 0 : 4))
        #expect(try vault.unlocked(["seed", "list", "--json"]).json().array.count == 1)
    }

    @Test("in a narrow window they stay where they are while the answer is typed", .enabled(if: TmuxScreen.isThere))
    func narrowWindow() throws {
        let vault = try DemoVault()
        let screen = try TmuxScreen(
            columns: 60, rows: 14, DemoVault.casemate, ["seed", "new", "paper", "--vault", vault.folder])
        // The question takes two lines of so narrow a window.
        try screen.wait(for: "g is changed):")
        let question = try #require(try screen.lines().firstIndex { $0.hasPrefix("Type yes") })
        let before = try screen.lines()[...question]
        for key in ["n", "o", "p", "BSpace", "Left", "Up", "p", "q", "r", "s"] { try screen.press(key) }
        try screen.wait(for: "changed): nopqrs")
        #expect(try screen.lines()[...question] == before)
        try screen.type("")
        try screen.type("yes")
        try screen.wait(for: "Seed paper made.")
    }

    @Test("in a window that is too small for them they wait for a larger one", .enabled(if: TmuxScreen.isThere))
    func smallWindow() throws {
        let vault = try DemoVault()
        let screen = try TmuxScreen(
            columns: 80, rows: 6, DemoVault.casemate, ["seed", "show", "demo", "--vault", vault.folder])
        try screen.wait(for: "This window is too small: make it 8 rows high")
        try screen.type("")
        try screen.wait(for: "This window is too small")
        #expect(try !screen.text().contains("walk"))
        try screen.resize(columns: 80, rows: 8)
        try screen.type("")
        try screen.wait(for: "12 walk")
        #expect(try screen.text().contains("1 bottom"))
        try screen.type("")
        try screen.wait(for: "ended with 0")
    }

    @Test("they are written to a descriptor, and each time is in the log")
    func descriptor() throws {
        let vault = try DemoVault()
        let shown = try vault.unlocked(["seed", "show", "demo", "--phrase-fd", "4"], taking: [4])
        #expect(shown.exitCode == 0 && shown.taken[4] == DemoVault.phrase + "\n", "\(shown.errors)")
        #expect(!shown.output.contains("bottom"))
        #expect(try vault.count(of: "SeedNameWasShown") == 1)
        let unknown = try vault.unlocked(["seed", "show", "nobody", "--phrase-fd", "4"], taking: [4])
        #expect(unknown.exitCode == 16 && unknown.taken[4] == "")
        let nowhere = try vault.unlocked(["seed", "show", "demo"])
        #expect(nowhere.exitCode == 1 && nowhere.errors.contains("--phrase-fd 3 3>file"), "\(nowhere.errors)")
        #expect(try vault.count(of: "SeedNameWasShown") == 1)
    }

    @Test("within a session the PIN is asked all the same")
    func session() throws {
        let vault = try DemoVault("--pin")
        _ = try vault.unlocked(["unlock"])
        let shown = try DemoVault.casemate.run(
            ["seed", "show", "demo", "--vault", vault.folder, "--phrase-fd", "4"], taking: [4])
        #expect(shown.exitCode == 1 && shown.taken[4] == "", "\(shown.errors)")
    }
}
