import Foundation
import TestSupport
import Testing

@Suite("A wipe that was interrupted")
struct InterruptedWipeTests {
    /// A vault whose wipe died right after it was begun.
    private func vault() throws -> DemoVault {
        let vault = try DemoVault("--pin")
        let wipe = [
            DemoVault.casemate.path, "--crash-at=wipe.begun", "wipe", "--yes", "--vault", vault.folder, "--pin-fd", "3",
        ]
        let pin = vault.scratch.path("pin")
        try Data((DemoVault.pin + "\n").utf8).write(to: URL(filePath: pin))
        let killed = try Program.shell(
            wipe.map(Program.quoted).joined(separator: " ") + " 3<\(Program.quoted(pin)); exit $?")
        try #require(killed.exitCode == 128 + SIGKILL, "\(killed.errors)")
        return vault
    }

    @Test(
        "status says so, and the next command finishes it, asks once and says that too",
        arguments: [["seed", "list"], ["log", "verify"], ["sign", "--file", VaultCommandsTests.payload, "--yes"]])
    func finished(_ command: [String]) throws {
        let vault = try vault()
        #expect(try vault.run(["status"]).output.contains("begun and not finished"))
        #expect(try vault.run(["status", "--json"]).json()["wiping"].bool == true)
        let next = try vault.unlocked(command)
        #expect(next.errors.contains("It is finished now"), "\(next.errors)")
        #expect(command[0] == "sign" || next.exitCode == 0, "\(next.errors)")
        #expect(try vault.run(["status", "--json"]).json()["wiping"].bool == false)
        let listed = try vault.unlocked(["seed", "list", "--json"])
        #expect(try listed.json().array.isEmpty && !listed.errors.contains("wipe"), "\(listed.errors)")
    }

    @Test("whoever cannot finish it learns that it cannot be taken back")
    func unfinished() throws {
        let vault = try vault()
        let wrong = try DemoVault.casemate.run(
            ["seed", "list", "--vault", vault.folder, "--pin-fd", "3"], secrets: [3: "a passphrasf"])
        #expect(wrong.exitCode == 10 && wrong.errors.contains("cannot be taken back"), "\(wrong.errors)")
        #expect(try vault.unlocked(["seed", "list"]).exitCode == 0)
    }
}
