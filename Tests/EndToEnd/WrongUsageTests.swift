import Foundation
import TestSupport
import Testing

@Suite("Wrong usage")
struct WrongUsageTests {
    @Test("a refusal behind the parsing has the usage of the command that refuses")
    func commands() throws {
        let vault = try DemoVault()
        for command in ["protect", "isolated"] {
            let place = command == "protect" ? ["--vault", vault.folder] : []
            let outcome = try DemoVault.casemate.run([command] + place)
            #expect(outcome.exitCode == 64, "\(outcome.errors)")
            #expect(outcome.errors.contains("Usage: casemate \(command)"), "\(outcome.errors)")
        }
        let sent = try Program(name: "airgap").run(["send", VaultCommandsTests.payload, "--json"])
        #expect(sent.exitCode == 4 && sent.errors.contains("Usage: airgap send"), "\(sent.errors)")
    }

    @Test("with --json a failure is one object, for programs, and standard error tells people the same")
    func machines() throws {
        let vault = try DemoVault()
        let absent = try vault.run(["log", "show", "99", "--json"])
        #expect(try absent.exitCode == 16 && absent.json()["error"].string == "HistoryEntryNotFound")
        let message = try #require(try absent.json()["message"].string)
        #expect(absent.errors.contains(message) && message.contains("99"), "\(absent.errors)")
        // What has no name of its own is called as the exit code is.
        let noHex = try vault.run(["inspect", "--hex", "zz", "--json"])
        #expect(try noHex.exitCode == 2 && noHex.json()["error"].string == "PayloadRefused")
        let (scratch, airgap) = (try Scratch(), Program(name: "airgap"))
        let nowhere = try airgap.run(["send", scratch.path("none"), "--out", scratch.path("film.apng"), "--json"])
        #expect(try nowhere.exitCode == 1 && nowhere.json()["error"].string == "failed", "\(nowhere.errors)")
        let hot = ["--hot-db-path", scratch.path("hot.sqlite"), "--json"]
        let unknown = try Program(name: "generate-message").run(["show", "specs", "nowhere"] + hot)
        #expect(unknown.exitCode == 16, "\(unknown.errors)")
        #expect(try unknown.json()["error"].string?.hasSuffix("NotFound") == true, "\(unknown.output)")
    }

    @Test(
        "wrong usage is told to machines, too",
        arguments: [("casemate", Int32(64)), ("airgap", 4), ("generate-message", 64), ("mainkey", 64), ("gate", 64)])
    func usageForMachines(_ name: String, _ exitCode: Int32) throws {
        let outcome = try Program(name: name).run(["--nonsense", "--json"])
        #expect(try outcome.exitCode == exitCode && outcome.json()["error"].string == "usage", "\(outcome.output)")
        #expect(try outcome.json()["message"].string?.contains("--nonsense") == true)
    }

    @Test("a value that tells of a failure stays the only one")
    func onlyValue() throws {
        let scratch = try Scratch()
        try Data().write(to: URL(filePath: scratch.path("codes.hex")))
        let outcome = try Program(name: "airgap").run(
            ["recv", scratch.path("codes.hex"), "-o", scratch.path("out"), "--json"])
        #expect(try outcome.exitCode == 2 && outcome.json()["files"].array.isEmpty, "\(outcome.output)")
    }

    @Test(
        "help about a command that there is not is wrong usage, about one that there is it is help",
        arguments: [
            ("casemate", "seed list", "seed nope", Int32(64)), ("airgap", "rq decode", "rq nope", 4),
            ("generate-message", "show specs", "show nope", 64), ("mainkey", "token list", "nope", 64),
            ("gate", "keys list", "keys list nope", 64), ("forcefield", "doctor", "nope", 2),
            ("vigil-hash-tool", "hash", "nope", 2), ("vigil-validator", "status", "nope", 64),
        ])
    func help(_ name: String, _ there: String, _ absent: String, _ exitCode: Int32) throws {
        let words = { (text: String) in ["help"] + text.split(separator: " ").map(String.init) }
        let helped = try Program(name: name).run(words(there))
        #expect(helped.exitCode == 0 && helped.output.contains("USAGE: \(name) \(there)"), "\(helped.output)")
        let refused = try Program(name: name).run(words(absent))
        #expect(refused.exitCode == exitCode && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.contains("'nope'"), "\(refused.errors)")
        #expect(try Program(name: name).run(["help"]).exitCode == 0)
    }

    @Test("it says once that something is wrong", arguments: ["mainkey", "gate"])
    func once(_ program: String) throws {
        let outcome = try Program(name: program).run(["--nonsense"])
        #expect(outcome.exitCode == 64 && outcome.errors.hasPrefix("\(program): Unknown"), "\(outcome.errors)")
    }

    @Test("wrong usage and --help are as docs/exit-codes.md says of each program")
    func documented() throws {
        let text = try String(contentsOf: packageRoot.appending(path: "docs/exit-codes.md"), encoding: .utf8)
        var told: [String: Set<Int32>] = [:]
        var usage: [String: Int32] = [:]
        for row in text.matches(of: /(?m)^\| ([0-9]+) \| (.+?) \| (.+) \|$/) {
            let code = try #require(Int32(row.1))
            for name in row.2.matches(of: /`([a-z-]+)`/) {
                told[String(name.1), default: [0]].insert(code)
                if row.3 == "wrong usage" { usage[String(name.1)] = code }
            }
        }
        #expect(usage.count == 12)
        for (name, code) in usage {
            let program = Program(name: name)
            #expect(try program.run(["--nonsense"]).exitCode == code, "\(name)")
            let help = try program.run(["--help"]).output
            guard let section = help.firstMatch(of: /(?s)EXIT CODES(.*?)USAGE:/) else { continue }
            let codes = section.1.matches(of: /(?m)(?:^ *|· | {2})([0-9]+) +[a-z]/).compactMap { Int32($0.1) }
            #expect(Set(codes) == told[name], "\(name)")
        }
    }

    @Test("an empty name stands for no folder that one is in")
    func emptyName() throws {
        for (name, arguments, code) in [
            ("vigil-validate", [""], 2), ("vigil-validate", [".", "--config", ""], 2),
            ("vigil-validator", ["status", "--config", ""], 64), ("vigil-demo", ["--once", "--config", ""], 64),
        ] as [(String, [String], Int32)] {
            let outcome = try Program(name: name).run(arguments)
            #expect(outcome.exitCode == code && outcome.output.isEmpty, "\(name) \(arguments): \(outcome)")
        }
        let folder = try Program(name: "vigil-hash-tool").run(["bundle", ""])
        #expect(folder.exitCode == 4 && folder.errors.contains("its name is empty"), "\(folder.errors)")
    }

    @Test("known answers that cannot be read are named")
    func unreadableAnswers() throws {
        let scratch = try Scratch()
        let conformance = Program(name: "conformance")
        // Foundation asks for another name than this one.
        let made = try Program.shell("cd \(Program.quoted(scratch.path)) && : >\"$(printf 'a\\377')\"")
        try #require(made.exitCode == 0)
        for folder in [scratch.path, scratch.path("none")] {
            let outcome = try conformance.run(["crypto", folder])
            #expect(outcome.exitCode == 2 && outcome.output.contains("cannot be read: No such file"), "\(outcome)")
        }
    }

    @Test("a validator without a configuration says how one is named, and of a wrong one which it is")
    func noConfiguration() throws {
        let outcome = try Program.shell(
            "exec env -u VIGIL_CONFIG \(Program.quoted(Program(name: "vigil-validator").path)) status")
        #expect(outcome.exitCode == 78 && outcome.errors.contains("--config"), "\(outcome.errors)")
        let scratch = try Scratch()
        let noise = scratch.path("noise.json")
        try Data("noise".utf8).write(to: URL(filePath: noise))
        for (name, words) in [("vigil-validator", ["status"]), ("vigil-demo", ["--once"])] {
            let wrong = try Program(name: name).run(words + ["--config", noise])
            #expect(wrong.exitCode == 78 && wrong.errors.contains(noise), "\(wrong.errors)")
        }
    }

    @Test("an empty name of a folder is none")
    func emptyFolder() throws {
        for command in [["init", "--none", "--network-allowed"], ["status"]] {
            let outcome = try DemoVault.casemate.run(command + ["--vault", ""])
            #expect(outcome.exitCode == 64 && outcome.errors.contains("--vault names no folder"), "\(outcome.errors)")
        }
    }
}
