import Foundation
import TestSupport
import Testing

@Suite("A seed in shares, by commands")
struct SplitBackupCommandsTests {
    private let vault: DemoVault
    private let scratch: Scratch

    init() throws {
        vault = try DemoVault()
        scratch = try Scratch()
    }

    /// Splits the seed; the passphrase is written to a file and read back from it.
    private func split(_ more: String) throws -> (outcome: Program.Outcome, passphrase: String) {
        let kept = scratch.path("kept-\(UUID().uuidString)")
        let outcome = try Program.shell(
            "{ : >\(kept); \(Program.quoted(DemoVault.casemate.path)) seed split demo "
                + "--vault \(Program.quoted(vault.folder)) --passphrase-fd 4 --repeat-fd 5 \(more) 4>\(kept) 5<\(kept); }"
        )
        return (outcome, try String(contentsOfFile: kept, encoding: .utf8).trimmingCharacters(in: .newlines))
    }

    private func join(
        _ places: [String], _ passphrases: String, in vault: DemoVault, _ more: [String] = []
    ) throws -> Program.Outcome {
        try vault.unlocked(["seed", "join"] + places + ["--passphrase-fd", "4"] + more, secrets: [4: passphrases])
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// A vault without the seed.
    private func emptied() throws -> DemoVault {
        let other = try DemoVault()
        try other.unlocked(["seed", "remove", "demo", "--yes"]).succeeded()
        return other
    }

    @Test("pictures of two of three shares, in any order, and the passphrase give the seed back in another vault")
    func roundTrip() throws {
        let folder = scratch.path("shares")
        let (made, passphrase) = try split("--title 'Demo set' --out \(folder) --json")
        #expect(made.exitCode == 0, "\(made.errors)")
        #expect(passphrase.split(separator: "-").count >= 4)
        let paths = try made.json()["files"].array.compactMap(\.string)
        #expect(paths == (1...3).map { "\(folder)/share-\($0)-of-3.png" })
        for path in paths { #expect(try permissions(path) == 0o600) }
        #expect(!made.output.contains(passphrase) && !made.errors.contains(passphrase))
        let other = try emptied()
        let joined = try join([paths[2], paths[0]], passphrase, in: other, ["--json"])
        #expect(joined.exitCode == 0, "\(joined.errors)")
        #expect(try joined.json().array.allSatisfy { $0["seed"].string == "Demo set" })
        #expect(joined.errors.contains("share 3 of Demo set: 1 of 2 needed"), "\(joined.errors)")
        let shown = try other.unlocked(["seed", "show", "Demo set", "--phrase-fd", "4"], taking: [4])
        #expect(shown.taken[4] == DemoVault.phrase + "\n")
    }

    @Test("the log says it once, and holds nothing of passphrase and shares")
    func logged() throws {
        let (made, passphrase) = try split("--out \(scratch.path("shares"))")
        #expect(made.exitCode == 0, "\(made.errors)")
        let log = try vault.run(["log", "show", "--json"]).output
        #expect(log.ranges(of: "seed demo was split: 2 of 3 shares recover it").count == 1)
        #expect(!log.contains(passphrase))
    }

    @Test("no file is replaced, and nothing is split where one would be")
    func files() throws {
        let folder = scratch.path("shares")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: folder + "/share-2-of-3.png"))
        let (made, passphrase) = try split("--out \(folder)")
        #expect(made.exitCode == 1 && made.errors.contains("share-2-of-3.png is there already"), "\(made.errors)")
        #expect(passphrase.isEmpty, "there was none to show")
        #expect(try Data(contentsOf: URL(filePath: folder + "/share-2-of-3.png")) == Data("mine".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["share-2-of-3.png"])
        #expect(try vault.count(of: "was split: ") == 0)
    }

    @Test("who does not type the passphrase back gets no share")
    func notTypedBack() throws {
        let folder = scratch.path("shares")
        let made = try vault.unlocked(
            ["seed", "split", "demo", "--passphrase-fd", "4", "--repeat-fd", "5", "--out", folder],
            secrets: [5: "four-wrong-words-here"], taking: [4])
        #expect(made.exitCode == 4 && made.errors.contains("[ConfirmationMismatch]"), "\(made.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(try vault.count(of: "was split: ") == 0)
    }

    @Test("three wrong passphrases end it, and the third right one stores the seed")
    func attempts() throws {
        let folder = scratch.path("shares")
        let (made, passphrase) = try split("--out \(folder)")
        #expect(made.exitCode == 0, "\(made.errors)")
        let places = [1, 2].map { "\(folder)/share-\($0)-of-3.png" }
        let other = try emptied()
        let wrong = try join(places, "a\nb\nc\n\(passphrase)\n", in: other)
        #expect(wrong.exitCode == 11 && wrong.errors.contains("[DecodingFailed]"), "\(wrong.errors)")
        #expect(wrong.errors.contains("Attempts that are left: 1"))
        #expect(!(try other.run(["seed", "list"]).output.contains("demo")))
        let right = try join(places, "a\nb\n\(passphrase)\n", in: other, ["--name", "back"])
        #expect(right.exitCode == 0 && right.output.contains("Seed back stored."), "\(right.errors)")
    }

    @Test("a seed that is here is said to be here")
    func alreadyThere() throws {
        let folder = scratch.path("shares")
        let (made, passphrase) = try split("--out \(folder)")
        #expect(made.exitCode == 0, "\(made.errors)")
        let again = try join([folder], passphrase, in: vault)
        #expect(again.exitCode == 1 && again.errors.contains("[SeedAlreadyExists]"), "\(again.errors)")
    }

    @Test("shares whose title is no name say with the first of them that they need one, and come back under it")
    func titleIsNoName() throws {
        let folder = scratch.path("shares")
        let (made, passphrase) = try split("--title 'Cellar, left' --out \(folder)")
        #expect(made.exitCode == 0, "\(made.errors)")
        let places = [1, 3].map { "\(folder)/share-\($0)-of-3.png" }
        let other = try emptied()
        let refused = try join(places, passphrase, in: other)
        #expect(refused.exitCode == 1 && refused.errors.contains("--name"), "\(refused.errors)")
        #expect(!refused.errors.contains("2 of 2 needed"), "\(refused.errors)")
        let named = try join(places, passphrase, in: other, ["--name", "a,b"])
        #expect(named.exitCode == 1 && named.errors.contains("[SeedNameInvalid]"), "\(named.errors)")
        #expect(!named.errors.contains("of 2 needed"), "\(named.errors)")
        let joined = try join(places, passphrase, in: other, ["--name", "Cellar left"])
        #expect(joined.exitCode == 0 && joined.output.contains("Seed Cellar left stored."), "\(joined.errors)")
    }

    @Test("a share of another set is refused by its code, and what is there is kept")
    func otherSet() throws {
        let (folder, other) = (scratch.path("shares"), scratch.path("others"))
        let (made, passphrase) = try split("--out \(folder)")
        #expect(made.exitCode == 0 && passphrase != "", "\(made.errors)")
        #expect(try split("--out \(other)").outcome.exitCode == 0)
        let empty = try emptied()
        let joined = try join(
            ["\(folder)/share-1-of-3.png", "\(other)/share-2-of-3.png", "\(folder)/share-3-of-3.png"], passphrase,
            in: empty)
        #expect(joined.errors.contains("[ShareNonceDifferent]"), "\(joined.errors)")
        #expect(joined.exitCode == 0)
        let few = try join(["\(folder)/share-1-of-3.png"], passphrase, in: empty)
        #expect(few.exitCode == 2 && few.errors.contains("[ShareSetIncomplete]"), "\(few.errors)")
        #expect(few.errors.contains("1 of the 2 shares"))
    }

    @Test("a text that is no share is refused, and nothing is asked")
    func text() throws {
        let none = try Program.shell(
            "{ printf 'hello\\n' | \(Program.quoted(DemoVault.casemate.path)) seed join - "
                + "--vault \(Program.quoted(vault.folder)); }")
        #expect(none.exitCode == 17 && none.errors.contains("[JsonParsing]"), "\(none.errors)")
        #expect(none.errors.contains("No share of a split backup was found"))
    }

    @Test("a share that is scanned for a payload is told apart from frames")
    func scannedForPayload() throws {
        let folder = scratch.path("shares")
        #expect(try split("--out \(folder)").outcome.exitCode == 0)
        let inspected = try vault.run(["inspect", "--qr", "\(folder)/share-1-of-3.png"])
        #expect(inspected.exitCode == 2 && inspected.errors.contains("casemate seed join"), "\(inspected.errors)")
    }

    @Test("on the terminal the passphrase is shown once, typed back, and the shares follow one by one")
    func terminal() throws {
        let screen = try TmuxScreen(
            columns: 120, rows: 60, DemoVault.casemate, ["seed", "split", "demo", "--vault", vault.folder])
        try screen.wait(for: "Write this passphrase down")
        let passphrase = try #require(try screen.lines().first { $0.split(separator: "-").count >= 4 })
            .trimmingCharacters(in: .whitespaces)
        try screen.type("yes")
        try screen.wait(for: "typed back:")
        try screen.type("wrong")
        try screen.wait(for: "type it again")
        #expect(!(try screen.text().contains(passphrase)), "it was shown once")
        try screen.type(passphrase)
        for number in 1...3 {
            try screen.wait(for: "share \(number) of 3, 2 needed, demo")
            try screen.type("")
        }
        try screen.wait(for: "Seed demo is split into 3 shares.")
        #expect(try vault.count(of: "was split: ") == 1)
    }

    @Test("a share that the window had no room for was not seen, and Enter does not go on")
    func smallWindow() throws {
        let screen = try TmuxScreen(
            columns: 80, rows: 24, DemoVault.casemate, ["seed", "split", "demo", "--vault", vault.folder])
        try screen.wait(for: "Write this passphrase down")
        let passphrase = try #require(try screen.lines().first { $0.split(separator: "-").count >= 4 })
            .trimmingCharacters(in: .whitespaces)
        try screen.type("yes")
        try screen.wait(for: "typed back:")
        try screen.type(passphrase)
        try screen.wait(for: "This window is too small for it")
        for _ in 1...3 { try screen.type("") }
        try screen.resize(columns: 120, rows: 60)
        try screen.send("r")
        try screen.wait(for: "Enter: next")
        #expect(try screen.text().contains("share 1 of 3"))
        try screen.send("q")
        try screen.wait(for: "ended with 4")
    }

    @Test("what is refused leaves no folder, and one wrong passphrase is told as one")
    func refusals() throws {
        let folder = scratch.path("shares")
        let refused = try vault.run([
            "seed", "split", "nobody", "--out", folder, "--passphrase-fd", "1", "--repeat-fd", "0",
        ])
        #expect(refused.exitCode != 0 && !FileManager.default.fileExists(atPath: folder), "\(refused.errors)")
        let (made, passphrase) = try split("--out \(folder)")
        #expect(made.exitCode == 0, "\(made.errors)")
        let other = try emptied()
        let wrong = try join([folder], "wrong\n", in: other)
        #expect(wrong.exitCode == 11, "\(wrong.errors)")
        let unnamed = try join([folder], passphrase, in: other, ["--name", "a, b"])
        #expect(unnamed.exitCode == 1 && unnamed.errors.contains("[SeedNameInvalid]"), "\(unnamed.errors)")
    }

    @Test("limits are refused as wrong usage", arguments: ["--shares 1", "--shares 256", "--required 1", "--words 7"])
    func limits(_ words: String) throws {
        let made = try vault.run(["seed", "split", "demo"] + words.split(separator: " ").map(String.init))
        #expect(made.exitCode == 64, "\(made.errors)")
    }
}
