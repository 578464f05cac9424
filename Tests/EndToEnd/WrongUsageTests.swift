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

    @Test("an empty name of a folder is none")
    func emptyFolder() throws {
        for command in [["init", "--none", "--network-allowed"], ["status"]] {
            let outcome = try DemoVault.casemate.run(command + ["--vault", ""])
            #expect(outcome.exitCode == 64 && outcome.errors.contains("--vault names no folder"), "\(outcome.errors)")
        }
    }
}
