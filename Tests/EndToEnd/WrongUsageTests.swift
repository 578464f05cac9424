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
            // That of `audit` alone is in no list.
            #expect(Set(codes).union(name == "forcefield" ? [1] : []) == told[name], "\(name)")
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
