import Foundation
import TestSupport
import Testing

@Suite("What programs say of names, paths, codes and files")
struct PlainWordsTests {
    private let scratch: Scratch
    private let airgap = Program(name: "airgap")

    init() throws {
        scratch = try Scratch()
    }

    @Test("a wrong recovery code is called one, and messages name the option that there is")
    func recoveryCode() throws {
        let vault = try DemoVault("--pin")
        _ = try vault.unlocked(["protect", "--add-recovery", "--recovery-fd", "4"], taking: [4])
        let wrong = try DemoVault.casemate.run(
            ["seed", "list", "--vault", vault.folder, "--recovery-code", "--pin-fd", "3"],
            secrets: [3: "0000-0000-0000-0000-0000-0000-00"])
        #expect(wrong.exitCode == 10 && wrong.errors.contains("Wrong recovery code"), "\(wrong.errors)")
        #expect(!wrong.errors.contains("Wrong PIN"))
    }

    @Test(
        "names that hide something, mix alphabets or look like another seed's are refused",
        arguments: [
            ("pay\u{202e}roll", "SeedNameInvalid"), ("a\u{200b}b", "SeedNameInvalid"),
            ("d\u{435}mo", "SeedNameMixesAlphabets"), ("\u{501}\u{435}mo", "SeedNameMixesAlphabets"),
            ("\u{441}\u{43e}\u{440}\u{430}", "SeedNameLookalike"), ("\u{ff43}opa", "SeedNameLookalike"),
            ("copa", "SeedNameTaken"),
        ])
    func names(_ name: String, _ code: String) throws {
        let vault = try DemoVault()
        try vault.unlocked(["seed", "new", "copa", "--phrase-fd", "4"], taking: [4]).succeeded()
        let refused = try vault.unlocked(["seed", "new", name, "--phrase-fd", "4"], taking: [4])
        #expect(refused.exitCode == 1 && refused.errors.contains("[\(code)]"), "\(refused.errors)")
        #expect(refused.taken[4] == "", "no words are shown for a name that is not taken")
        let other = try vault.unlocked(
            ["seed", "new", "\u{441}\u{435}\u{439}\u{444}", "--phrase-fd", "4"], taking: [4])
        #expect(other.exitCode == 0, "a name in one alphabet is fine: \(other.errors)")
    }

    @Test("the public development phrase is called that")
    func developmentPhrase() throws {
        let vault = try DemoVault()
        let listed = try vault.run(["seed", "list"])
        #expect(listed.errors.contains("demo is the public development phrase"), "\(listed.errors)")
        #expect(try vault.run(["seed", "list", "--json"]).json()[0]["isPublic"].bool == true)
        try #require(try vault.unlocked(["seed", "remove", "demo", "--yes"]).exitCode == 0)
        let recovered = try vault.unlocked(
            ["seed", "recover", "own", "--phrase-fd", "4"], secrets: [4: DemoVault.phrase])
        #expect(recovered.exitCode == 0 && recovered.errors.contains("own is the public development phrase"))
    }

    @Test("a path that is too long or not composed is refused; one that differs elsewhere is pointed out")
    func paths() throws {
        let vault = try DemoVault()
        func derive(_ path: String, as how: [String] = []) throws -> Program.Outcome {
            try vault.unlocked(how + ["key", "derive", "demo", path, "--network", "westend"])
        }
        let long = try derive("//" + String(repeating: "x", count: 1023))
        #expect(long.exitCode == 1 && long.errors.contains("at most 1024 characters"), "\(long.errors)")
        #expect(try derive("//" + String(repeating: "x", count: 1022)).exitCode == 0)
        let apart = try derive("//cafe\u{301}")
        #expect(apart.exitCode == 1 && apart.errors.contains("NFC"), "\(apart.errors)")
        // Nothing is said of the path.
        let composed = try derive("//caf\u{e9}", as: ["--isolated"])
        let said = composed.errors.split(separator: "\n").filter { !$0.contains("connected to a network") }
        #expect(composed.exitCode == 0 && said.isEmpty, "\(composed.errors)")
        for path in ["//0x00", "//18446744073709551616"] {
            let derived = try derive(path)
            #expect(derived.exitCode == 0 && derived.errors.contains("another key of \(path)"), "\(derived.errors)")
        }
    }

    @Test("a file that cannot be read is told in plain words, and nothing waits for ever")
    func files() throws {
        for (path, reason) in [
            ("/nowhere/x", "No such file or directory"), (scratch.path, "folder"),
            ("/dev/zero", "it is a device and no file"),
        ] {
            for outcome in [
                try DemoVault.casemate.run(["inspect", "--file", path]), try airgap.run(["send", path]),
                try DemoVault.casemate.run(["metadata", "show", path]),
            ] {
                #expect(outcome.exitCode == 1 && outcome.errors.contains(reason), "\(path): \(outcome.errors)")
                #expect(!outcome.errors.contains("NSCocoa") && !outcome.errors.contains(".."))
            }
        }
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let silent = try DemoVault.casemate.run(["inspect", "--file", pipe])
        #expect(
            silent.exitCode == 1 && silent.errors.contains("nobody wrote to it within 10 seconds"), "\(silent.errors)")
        let written = try Program.shell(
            "{ echo zz >\(Program.quoted(pipe)) & } ; \(Program.quoted(DemoVault.casemate.path)) inspect --file "
                + Program.quoted(pipe))
        #expect(written.exitCode == 2, "\(written.errors)")
    }
}
