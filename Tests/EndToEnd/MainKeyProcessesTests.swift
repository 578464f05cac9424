import Foundation
import TestSupport
import Testing

@Suite("Several processes on one vault", .serialized)
struct MainKeyProcessesTests {
    /// Runs a command in several processes at once, again and again.
    ///
    /// - Returns: the exit codes of all.
    private func race(
        _ vault: MainKeyVault, processes: Int, times: Int = 1, pin: String, _ arguments: [String]
    ) throws -> [Int] {
        let pinFile = vault.scratch.path("typed")
        try Data((pin + "\n").utf8).write(to: URL(filePath: pinFile))
        let command = ([MainKeyVault.mainkey.path] + arguments + ["--dir", vault.folder, "--pin-fd", "3"])
            .map(Program.quoted).joined(separator: " ")
        let one = "\(command) 3<\(Program.quoted(pinFile)) >/dev/null 2>&1; echo $?"
        let outcome = try Program.shell(
            "{ seq \(processes * times) | xargs -P \(processes) -I{} sh -c \(Program.quoted(one)); }")
        return outcome.output.split(separator: "\n").compactMap { Int($0) }
    }

    @Test("commits of eight processes are all there, none overwrites another")
    func commits() throws {
        let vault = try MainKeyVault()
        let before = try #require(try vault.status()["generation"].int)
        let codes = try race(vault, processes: 8, times: 5, pin: MainKeyVault.pin, ["set-autolock", "30"])
        #expect(codes.count == 40)
        // 41 and 42: another one was quicker, and this one says so.
        #expect(codes.allSatisfy { [0, 41, 42].contains($0) }, "\(codes)")
        let done = codes.count { $0 == 0 }
        #expect(done > 0)
        let status = try vault.status()
        #expect(status["generation"].int == before + done && status["failedAttempts"].int == 0)
        #expect(try vault.unlocked(["verify"]).exitCode == 0)
    }

    @Test("wrong PINs of eight processes at once count exactly")
    func wrongPINs() throws {
        let vault = try MainKeyVault()
        let codes = try race(vault, processes: 8, pin: "no such PIN", ["verify"])
        #expect(codes.count == 8)
        // Those who come after the first few have to wait, and do not count; on a busy machine some do not get their
        // turn.
        #expect(codes.allSatisfy { [20, 21, 42].contains($0) }, "\(codes)")
        let wrong = codes.count { $0 == 20 }
        #expect(wrong > 0)
        let status = try vault.status()
        #expect(status["failedAttempts"].int == wrong && status["attemptsLeft"].int == 10 - wrong)
    }

    @Test("wrong PINs of eight processes reach the limit and not beyond")
    func limit() throws {
        let vault = try MainKeyVault(["--max-attempts", "3"])
        var codes: [Int] = []
        repeat {
            codes += try race(vault, processes: 8, pin: "no such PIN", ["verify"])
        } while !codes.contains(22)  // On a busy machine some do not get their turn in time.
        #expect(codes.count { $0 == 20 } == 3, "\(codes)")
        #expect(codes.allSatisfy { [20, 22, 42].contains($0) }, "\(codes)")
        #expect(try vault.unlocked(["verify"]).exitCode == 22)
        #expect(try vault.run(["verify", "--recovery"], vault.recovery).exitCode == 0)
    }
}
