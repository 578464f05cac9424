import Foundation
import TestSupport
import Testing

/// A phrase that is typed word by word into `casemate seed recover`.
@Suite("Words that are typed")
struct PhraseEditorTests {
    private static let words = "legal winner thank year wave sausage worth useful legal winner thank yellow"

    private func remaining(_ shown: String) -> String {
        var parts = shown.components(separatedBy: SeedWordsTests.otherScreen)
        let first = parts.removeFirst()
        return first
            + parts.map { $0.components(separatedBy: SeedWordsTests.firstScreen).dropFirst().joined() }.joined()
    }

    @Test("beginnings of words are enough, a wrong word is taken back, and nothing of the phrase stays on the screen")
    func typed() throws {
        let vault = try DemoVault()
        let session = try TerminalSession(DemoVault.casemate, ["seed", "recover", "paper", "--vault", vault.folder])
        try session.wait(for: "Word 1:")
        // The first letters of a word that no other begins with, then a whole one.
        try session.type("lega")
        try session.wait(for: "Word 2:")
        try session.type("winner")
        try session.wait(for: "Word 3:")
        // A word that is not the right one, and back again.
        try session.type("zoo")
        try session.wait(for: "Word 4:")
        try session.type("\u{7f}than")
        try session.wait(for: "3 thank")
        try session.wait(for: "Word 4:")
        // Two words begin so.
        try session.type("yea")
        try session.wait(for: "1 year")
        try session.wait(for: "Word 5:")
        try session.type("wa")
        try session.wait(for: "This is no whole word yet")
        try session.type("\u{3}")
        #expect(session.exitCode() == 4)
        let left = remaining(try session.shown())
        #expect(!left.contains("legal") && !left.contains("winner"))
    }

    @Test("a whole phrase that is pasted is taken, checked and stored when the person says that these are all")
    func pasted() throws {
        let vault = try DemoVault()
        let session = try TerminalSession(DemoVault.casemate, ["seed", "recover", "paper", "--vault", vault.folder])
        try session.wait(for: "Word 1:")
        try session.type(Self.words)
        try session.wait(for: "These 12 words are a phrase.")
        #expect(try !vault.run(["seed", "list"]).output.contains("paper"))
        try session.type("")
        try session.wait(for: "Seed paper stored.")
        #expect(session.exitCode() == 0)
        let left = remaining(try session.shown())
        for word in Set(Self.words.split(separator: " ")) where word.count > 4 { #expect(!left.contains(word)) }
        let phrase = try vault.unlocked(["seed", "show", "paper", "--phrase-fd", "4"], taking: [4]).taken[4]
        #expect(phrase == Self.words + "\n")
    }

    @Test("a last word that does not fit is told; whoever stops has no new seed")
    func wrong() throws {
        let vault = try DemoVault()
        let session = try TerminalSession(DemoVault.casemate, ["seed", "recover", "paper", "--vault", vault.folder])
        try session.wait(for: "Word 1:")
        try session.type(Self.words.replacing("yellow", with: "year"))
        try session.wait(for: "The last word does not fit the others")
        try session.type("\u{3}")
        #expect(session.exitCode() == 4)
        #expect(try !vault.run(["seed", "list"]).output.contains("paper"))
    }

    @Test("a name that cannot be is refused before a word is typed, and an empty phrase by its name")
    func refused() throws {
        let vault = try DemoVault()
        let taken = try vault.run(["seed", "recover", "demo"])
        #expect(taken.exitCode == 1 && taken.errors.contains("[SeedNameTaken]"), "\(taken.errors)")
        let empty = try vault.unlocked(["seed", "recover", "paper", "--phrase-fd", "4"], secrets: [4: "\n"])
        #expect(empty.exitCode == 1 && empty.errors.contains("[EmptySeed]"), "\(empty.errors)")
    }
}
