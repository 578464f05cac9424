import Foundation
import TestSupport
import Testing

@Suite("Encrypted files that a vault of mainkey lists")
struct ListedFileCommandsTests {
    private let scratch: Scratch
    private let vault: MainKeyVault
    private var plain: String { scratch.path("plain") }
    private var sealed: String { scratch.path("a.mkf") }

    init() throws {
        scratch = try Scratch()
        vault = try MainKeyVault()
    }

    private func encrypt(_ text: String, _ options: [String] = []) throws -> Program.Outcome {
        try Data(text.utf8).write(to: URL(filePath: plain))
        return try vault.unlocked(["encrypt", plain, sealed] + options)
    }

    private func files(_ outcome: Program.Outcome) throws -> JSON { try outcome.json()["files"] }

    @Test("an older one is refused by every command that reads it, until a person takes it as it is")
    func putBack() throws {
        #expect(try encrypt("old", ["--listed"]).exitCode == 0)
        let old = try Data(contentsOf: URL(filePath: sealed))
        // What is listed stays listed.
        #expect(try encrypt("new").exitCode == 0)
        #expect(try vault.unlocked(["cat", sealed]).output == "new")
        #expect(try files(vault.unlocked(["verify", "--json"]))["compared"].int == 1)
        try old.write(to: URL(filePath: sealed))
        let out = scratch.path("out")
        for command in [["decrypt", sealed, "-"], ["decrypt", sealed, "-", "--listed"]] {
            let outcome = try vault.unlocked(command)
            #expect(outcome.exitCode == 31 && outcome.output.isEmpty, "\(command) \(outcome.output)")
        }
        for command in [["decrypt", sealed, out], ["cat", sealed], ["check", sealed], ["verify"]] {
            let outcome = try vault.unlocked(command + ["--json"])
            #expect(outcome.exitCode == 31 && outcome.output.contains("rolledBack"), "\(command) \(outcome.output)")
        }
        let told = try vault.unlocked(["decrypt", sealed, out])
        #expect(told.errors.contains(sealed) && told.errors.contains("mainkey files add"), "\(told.errors)")
        #expect(!FileManager.default.fileExists(atPath: out))
        #expect(try vault.unlocked(["files", "add", sealed]).exitCode == 0)
        #expect(try vault.unlocked(["cat", sealed, "--listed"]).output == "old")
        #expect(try vault.unlocked(["decrypt", sealed, "-", "--listed"]).output == "old")
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test("the list is read without a PIN; files are listed many at once, moved, and forgotten")
    func list() throws {
        #expect(try encrypt("a").exitCode == 0)
        let copies = (0..<3).map { scratch.path("\($0).mkf") }
        for copy in copies { try FileManager.default.copyItem(atPath: sealed, toPath: copy) }
        let before = try #require(try vault.status()["generation"].int)
        #expect(try vault.unlocked(["files", "add"] + copies).exitCode == 0)
        #expect(try vault.status()["generation"].int == before + 1, "one commit for all")
        #expect(try files(vault.run(["files", "list", "--json"])).array.compactMap(\.string) == copies)
        // What has to be listed and is not, is refused; what need not be, is read.
        let unlisted = try vault.unlocked(["cat", sealed, "--listed"])
        #expect(unlisted.exitCode == 10 && unlisted.errors.contains("mainkey files add"), "\(unlisted.errors)")
        #expect(try vault.unlocked(["cat", sealed]).output == "a")
        let moved = scratch.path("moved.mkf")
        try FileManager.default.moveItem(atPath: copies[0], toPath: moved)
        let verified = try vault.unlocked(["verify", "--json"])
        #expect(verified.exitCode == 0)
        #expect(try files(verified)["compared"].int == 2)
        #expect(try files(verified)["missing"].int == 1)
        #expect(try vault.unlocked(["files", "add", moved]).exitCode == 0)
        #expect(try vault.unlocked(["files", "forget", copies[0], "no such"]).exitCode == 10)
        #expect(try vault.unlocked(["files", "forget", copies[0]]).exitCode == 0)
        #expect(try files(vault.run(["files", "list", "--json"])).array.count == 3)
    }

    @Test("a name of one's own goes with the file wherever it lies")
    func named() throws {
        let named = ["--listed-as", "diary"]
        #expect(try encrypt("old", named).exitCode == 0)
        let old = try Data(contentsOf: URL(filePath: sealed))
        #expect(try encrypt("new", named).exitCode == 0)
        let moved = scratch.path("moved")
        try FileManager.default.moveItem(atPath: sealed, toPath: moved)
        #expect(try vault.unlocked(["cat", moved] + named).output == "new")
        try old.write(to: URL(filePath: moved))
        #expect(try vault.unlocked(["cat", moved] + named).exitCode == 31)
        #expect(try files(vault.unlocked(["verify", "--json"]))["elsewhere"].int == 1)
    }

    @Test("what cannot be meant is refused before anything is asked")
    func usage() throws {
        for options in [["--listed", "--listed-as", "x"], ["--listed-as", ""], ["--listed-as", "/x"]] {
            #expect(try encrypt("a", options).exitCode == 64, "\(options)")
        }
        #expect(try vault.run(["encrypt", "-", "-", "--listed"], input: Array("a".utf8)).exitCode == 64)
        #expect(try vault.run(["files", "add", "a", "b", "--listed-as", "x"]).exitCode == 64)
        #expect(!FileManager.default.fileExists(atPath: sealed))
    }

    @Test("a rotation keeps files listed, and refuses an older one")
    func rotation() throws {
        let folder = scratch.path("files")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let file = folder + "/a"
        #expect(try encrypt("old", ["--listed"]).exitCode == 0)
        try Data("text".utf8).write(to: URL(filePath: plain))
        #expect(try vault.unlocked(["encrypt", plain, file, "--listed"]).exitCode == 0)
        let old = try Data(contentsOf: URL(filePath: file))
        let rotated = try vault.unlocked(["rotate", "--files", folder, "--keep-old-epoch"])
        #expect(rotated.exitCode == 0, "\(rotated.errors)")
        #expect(try vault.unlocked(["cat", file, "--listed"]).output == "text")
        try old.write(to: URL(filePath: file))
        #expect(try vault.unlocked(["cat", file]).exitCode == 31)
        #expect(try vault.unlocked(["rotate", "--files", folder]).exitCode == 31)
    }
}
