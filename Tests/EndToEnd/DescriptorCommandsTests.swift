import Foundation
import TestSupport
import Testing

@Suite("Descriptors that options name")
struct DescriptorCommandsTests {
    private let vault: DemoVault
    private let scratch: Scratch

    init() throws {
        vault = try DemoVault()
        scratch = try Scratch()
        try Data((DemoVault.pin + "\n").utf8).write(to: URL(filePath: scratch.path("pin")))
    }

    private func quoted(_ name: String) -> String { Program.quoted(scratch.path(name)) }

    /// - Parameter redirections: with a PIN at 3.
    private func casemate(_ words: String, _ redirections: String = "") throws -> Program.Outcome {
        try Program.shell(
            "{ \(Program.quoted(DemoVault.casemate.path)) \(words) --vault \(Program.quoted(vault.folder)) --pin-fd 3 "
                + "3<\(quoted("pin")) \(redirections); }")
    }

    private func seeds() throws -> [String] {
        try vault.unlocked(["seed", "list", "--json"]).json().array.compactMap { $0["name"].string }
    }

    /// Each file of the vault.
    private func content() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: vault.folder)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in
                FileManager.default.contents(atPath: vault.folder + "/" + name).map { (name, $0) }
            })
    }

    @Test(
        "a number that was closed at the start never becomes a file of the program: nothing is stored, no word is on disk",
        arguments: [4, 5, 6, 7, 8, 9, 10, 11, 12, 100, 1023, 4711])
    func closed(_ number: Int) throws {
        let before = try content()
        let made = try casemate("seed new x --phrase-fd \(number)", "\(min(number, 9))>&-")
        #expect(made.exitCode == 64, "\(made.errors)")
        #expect(made.errors.contains("was not open when the program started") && made.errors.contains("3>file"))
        #expect(try content() == before)
        #expect(try seeds() == ["demo"])
    }

    @Test("a descriptor that is open the other way is refused with how to open it")
    func direction() throws {
        let output = try casemate("seed new x --phrase-fd 4", "4<\(quoted("pin"))")
        #expect(output.exitCode == 64 && output.errors.contains("open for reading only"), "\(output.errors)")
        #expect(output.errors.contains("3>file, not 3<file"))
        let input = try casemate("seed recover x --phrase-fd 4", "4>\(quoted("taken"))")
        #expect(input.exitCode == 64 && input.errors.contains("open for writing only"), "\(input.errors)")
        #expect(input.errors.contains("3<file, not 3>file"))
        #expect(try seeds() == ["demo"])
    }

    @Test("secrets do not go to standard output or error", arguments: [0, 1, 2])
    func standardStreams(_ number: Int) throws {
        let made = try casemate("seed new x --phrase-fd \(number)")
        #expect(made.exitCode == 64 && made.errors.contains("Take 3 or more"), "\(made.errors)")
        #expect(try seeds() == ["demo"])
    }

    @Test("what is read from is not written to")
    func twice() throws {
        let made = try casemate("seed new x --phrase-fd 3", "3<>\(quoted("pin"))")
        #expect(made.exitCode == 64 && made.errors.contains("one option reads from it"), "\(made.errors)")
        #expect(try String(contentsOfFile: scratch.path("pin"), encoding: .utf8) == DemoVault.pin + "\n")
    }

    @Test("every option for a secret checks its descriptor before anything else")
    func options() throws {
        for words in [
            "init --vault \(quoted("new")) --recovery --recovery-fd 9", "protect --add-recovery --recovery-fd 9",
            "protect --change-pin --new-pin-fd 9", "rotate --rekey --recovery-fd 9", "seed show demo --phrase-fd 9",
            "seed recover y --phrase-fd 9", "key preview --phrase-fd 9",
            "key derive demo //x --network westend --password-fd 9", "sign --hex 00 --password-fd 9",
        ] {
            let refused = try casemate(words, "9>&-")
            #expect(refused.exitCode == 64 && refused.errors.contains("was not open"), "\(words): \(refused.errors)")
        }
        for words in ["init --recovery --recovery-fd 9", "add-recovery --recovery-fd 9", "token set t --token-fd 9"] {
            let refused = try Program.shell(
                "\(Program.quoted(MainKeyVault.mainkey.path)) \(words) --dir \(quoted("mainkey")) --pin-fd 3 "
                    + "3<\(quoted("pin")) 9>&-")
            #expect(refused.exitCode == 64 && refused.errors.contains("was not open"), "\(words): \(refused.errors)")
        }
        #expect(!FileManager.default.fileExists(atPath: scratch.path("mainkey")))
    }

    @Test("no file of the vault takes the place of a standard stream that is closed")
    func closedStreams() throws {
        let before = try content()
        let listed = try casemate("seed list", "0<&- 1>&- 2>&-")
        #expect(listed.exitCode == 1, "what was to be printed was lost")
        #expect(try content() == before)
        let made = try casemate("seed new x --phrase-fd 4", "4>\(quoted("words")) 0<&- 1>&- 2>&-")
        #expect(made.exitCode == 1)
        #expect(try String(contentsOfFile: scratch.path("words"), encoding: .utf8).split(separator: " ").count == 24)
        #expect(try vault.unlocked(["log", "verify"]).exitCode == 0)
    }
}
