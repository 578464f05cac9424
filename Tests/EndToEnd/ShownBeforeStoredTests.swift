import Foundation
import TestSupport
import Testing

@Suite("What could not be shown is not done")
struct ShownBeforeStoredTests {
    /// Where nothing can be written: a full disk, and a pipe whose reader is gone.
    static let nowhere = ["4>/dev/full", "4>&1 | exec <&-"]

    private let code = /([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{2}/
    private let scratch: Scratch

    init() throws {
        scratch = try Scratch()
    }

    private func file(_ name: String, _ text: String) throws -> String {
        try Data((text + "\n").utf8).write(to: URL(filePath: scratch.path(name)))
        return Program.quoted(scratch.path(name))
    }

    /// Runs a command whose descriptor 4 takes nothing.
    private func run(_ words: String, pin: String = DemoVault.pin, into nowhere: String) throws -> Program.Outcome {
        let redirections = "3<\(try file("pin", pin)) 5<\(try file("new", MainKeyVault.newPIN))"
        // Of a pipe the first program's exit code is asked for; its reader, in each copy, ends before it begins.
        let command = "\(words) --pin-fd 3 \(redirections)"
        guard let pipe = nowhere.range(of: " | ") else { return try Program.shell("\(command) \(nowhere)") }
        let reader = nowhere[pipe.upperBound...]
        let (code, gone) = (Program.quoted(scratch.path("code")), Program.quoted(scratch.path("gone")))
        return try Program.shell(
            """
            rm -f \(gone)
            { (until [ -e \(gone) ]; do sleep 0.01; done; until ! (trap '' PIPE; echo) 2>/dev/null; do sleep 0.01; done; \
                \(command) \(nowhere[..<pipe.lowerBound]); echo $? >\(code)) \
                | { \(reader); : >\(gone); }; exit $(cat \(code)); }
            """)
    }

    private func casemate(_ words: String, _ folder: String) -> String {
        "\(Program.quoted(DemoVault.casemate.path)) \(words) --vault \(Program.quoted(folder))"
    }

    @Test("a seed whose words could not be written is not stored", arguments: nowhere)
    func seed(_ nowhere: String) throws {
        let vault = try DemoVault()
        let log = try vault.run(["log", "show"]).output
        let made = try run(casemate("seed new lost --phrase-fd 4", vault.folder), into: nowhere)
        #expect(made.exitCode == 1, "\(made.errors)")
        #expect(made.errors.contains("--phrase-fd cannot be written"), "\(made.errors)")
        #expect(try vault.run(["seed", "list", "--json"]).json().array.compactMap { $0["name"].string } == ["demo"])
        #expect(try vault.run(["log", "show"]).output == log)
        // The name is free.
        let again = try vault.unlocked(["seed", "new", "lost", "--phrase-fd", "4"], taking: [4])
        #expect(again.exitCode == 0 && again.taken[4]?.split(separator: " ").count == 24, "\(again.errors)")
    }

    @Test("a vault whose recovery code could not be written is not made", arguments: nowhere)
    func vault(_ nowhere: String) throws {
        let folder = scratch.path("vault")
        let made = try run(casemate("init --network-allowed --recovery --recovery-fd 4", folder), into: nowhere)
        #expect(made.exitCode == 1 && made.errors.contains("--recovery-fd cannot be written"), "\(made.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.path).allSatisfy { !$0.hasPrefix(".") })
    }

    @Test("the old recovery code opens the vault until the new one was written", arguments: nowhere)
    func recoveryCode(_ nowhere: String) throws {
        let vault = try DemoVault("--pin")
        let added = try vault.unlocked(["protect", "--add-recovery", "--recovery-fd", "4"], taking: [4])
        let old = String(try #require(added.taken[4]?.firstMatch(of: code)).output.0)
        for words in [
            "protect --add-recovery --recovery-fd 4", "rotate --rekey --new-pin-fd 5 --recovery-fd 4",
            "protect --pin --recovery --new-pin-fd 5 --recovery-fd 4",
        ] {
            let failed = try run(casemate(words, vault.folder), into: nowhere)
            #expect(failed.exitCode == 1, "\(words): \(failed.errors)")
            #expect(failed.errors.contains("--recovery-fd cannot be written"), "\(words): \(failed.errors)")
        }
        let byCode = try DemoVault.casemate.run(
            ["seed", "list", "--vault", vault.folder, "--recovery-code", "--pin-fd", "3"], secrets: [3: old])
        #expect(byCode.exitCode == 0 && byCode.output.contains("demo"), "\(byCode.errors)")
        #expect(try vault.unlocked(["seed", "list"]).exitCode == 0)
    }

    @Test("mainkey makes no vault and no way in whose recovery code could not be written", arguments: nowhere)
    func mainkey(_ nowhere: String) throws {
        let mainkey = Program.quoted(MainKeyVault.mainkey.path)
        let folder = scratch.path("mainkey")
        let cost = MainKeyVault.cost.joined(separator: " ")
        let made = try run(
            "\(mainkey) init --recovery --recovery-fd 4 --dir \(Program.quoted(folder)) \(cost)", into: nowhere)
        #expect(made.exitCode == 60 && made.errors.contains("--recovery-fd cannot be written"), "\(made.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder + "/keyring.mk"))
        let vault = try MainKeyVault()
        let slots = try vault.run(["slots"]).output
        let added = try run(
            "\(mainkey) add-recovery --recovery-fd 4 --dir \(Program.quoted(vault.folder))", pin: MainKeyVault.pin,
            into: nowhere)
        #expect(added.exitCode == 60, "\(added.errors)")
        #expect(try vault.run(["slots"]).output == slots)
    }

    @Test("output that is lost is a failure of the command")
    func standardOutput() throws {
        let vault = try DemoVault()
        for words in ["seed list", "key list --json", "--help", "network list"] {
            let place = words == "--help" ? "" : " --vault \(Program.quoted(vault.folder))"
            let lost = try Program.shell("{ \(Program.quoted(DemoVault.casemate.path)) \(words)\(place) >/dev/full; }")
            #expect(lost.exitCode == 1 && lost.errors.contains("Standard output cannot be written"), "\(words)")
        }
        let gate = try Program.shell(
            "{ \(Program.quoted(Program(name: "gate").path)) check-config --list >/dev/full; }")
        #expect(gate.exitCode == 1 && gate.errors.contains("Standard output cannot be written"), "\(gate.errors)")
    }

    /// Standard output is a named pipe whose only reader has gone.
    private func unread() throws -> String {
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let quoted = Program.quoted(pipe)
        return "3<>\(quoted) 4>\(quoted) 3<&- >&4"
    }

    @Test("help that is lost is a failure of each program, on a full disk and where nobody reads it")
    func help() throws {
        let unread = try unread()
        for name in [
            "casemate", "casemate-window", "generate-message", "airgap", "mainkey", "gate", "forcefield",
            "vigil-hash-tool", "vigil-validate", "vigil-validator", "vigil-demo", "conformance",
        ] {
            let program = Program.quoted(Program(name: name).path)
            for (place, reason) in [(">/dev/full", "No space left on device"), (unread, "Broken pipe")] {
                let lost = try Program.shell("{ \(program) --help \(place); }")
                #expect(lost.exitCode == 1, "\(name) \(place): \(lost)")
                #expect(lost.errors.contains("Standard output cannot be written: \(reason)"), "\(name): \(lost)")
            }
        }
    }

    @Test("a limit of a file's size is a full disk, and ends no program without a word")
    func fileSize() throws {
        let casemate = Program.quoted(DemoVault.casemate.path)
        // 512 or 1024 bytes, as the shell counts; its help is longer.
        let lost = try Program.shell("ulimit -f 1; exec \(casemate) --help")
        #expect(lost.exitCode == 1 && lost.errors.contains("File too large"), "\(lost.errors)")
    }

    @Test("what has no end ends where nobody takes it any more")
    func endless() throws {
        let airgap = Program.quoted(Program(name: "airgap").path)
        let send = "\(airgap) send --repair endless --out - \(try file("sent", String(repeating: "a", count: 5000)))"
        let act = "\(Program.quoted(DemoVault.casemate.path)) core act"
        let unread = try unread()
        for place in [">/dev/full", unread] {
            for command in ["timeout 600 \(send)", "yes '{\"action\":\"Start\"}' | timeout 600 \(act)"] {
                let lost = try Program.shell("{ \(command) \(place); }")
                #expect(lost.exitCode == 1 && lost.errors.contains("standard output cannot be written"), "\(lost)")
            }
        }
    }

    @Test("a payload is received only where it has a place")
    func receiving() throws {
        let airgap = Program(name: "airgap")
        let received = try airgap.run(["recv", "/nowhere/film.png", "-o", scratch.path("none/payload")])
        #expect(
            received.exitCode == 1 && received.errors.contains("none/payload cannot be written"), "\(received.errors)")
    }
}
