import Foundation
import TestSupport
import Testing

/// What a signal leaves on the terminal of a program that it ends.
@Suite("A terminal behind a signal")
struct EndedTerminalTests {
    /// What erases a screen, also what went out at its top, shows the cursor and goes back to the first screen.
    static let erased = "\u{1b}[H\u{1b}[2J\u{1b}[3J\u{1b}[?25h\(SeedWordsTests.firstScreen)"

    private func shown(_ vault: DemoVault) throws -> TerminalSession {
        let session = try TerminalSession(DemoVault.casemate, ["seed", "show", "demo", "--vault", vault.folder])
        try session.wait(for: "12 walk")
        try session.wait(for: "Any key goes on")
        return session
    }

    @Test(
        "the words are erased before the program ends, also on a terminal that has one screen",
        arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func words(_ signal: Int32) throws {
        let session = try shown(DemoVault())
        kill(try session.programID(), signal)
        #expect(session.exitCode() != 0)
        let behind = try #require(try session.shown().components(separatedBy: "12 walk").last)
        #expect(behind.contains(Self.erased), "\(behind.debugDescription)")
        #expect(!behind.contains("were shown"))
    }

    @Test("two signals in a row, the second while output is stopped, erase the words all the same")
    func stopped() throws {
        let session = try shown(DemoVault())
        let program = try session.programID()
        // Control-S: what erases them waits until the terminal takes it again.
        try session.send("\u{13}")
        Thread.sleep(forTimeInterval: 0.3)
        kill(program, SIGTERM)
        Thread.sleep(forTimeInterval: 0.3)
        kill(program, SIGHUP)
        Thread.sleep(forTimeInterval: 0.3)
        // Where the terminal had not stopped yet, the program has erased them and ended.
        try? session.send("\u{11}")
        #expect(session.exitCode() != 0)
        #expect(try session.shown().contains(Self.erased))
    }

    @Test("a program that shows words does not go to sleep over them")
    func stop() throws {
        let session = try shown(DemoVault())
        kill(try session.programID(), SIGTSTP)
        try session.type("")
        try session.wait(for: Self.erased)
        try session.wait(for: "were shown")
        #expect(session.exitCode() == 0)
    }

    @Test("echo and line editing are back, also where a reader of pictures was started before the PIN was asked for")
    func echo() throws {
        let vault = try DemoVault("--pin")
        let picture = packageRoot.appending(path: "Sources/Bridges/CShippedFiles/Files/westend-batch.png").path
        let words = [DemoVault.casemate.path, "inspect", "--qr", picture, "--vault", vault.folder]
        let session = try TerminalSession(
            words: ["sh", "-c", words.map(Program.quoted).joined(separator: " ") + "; stty -a; echo over"])
        try session.wait(for: "PIN:")
        kill(try session.programID(), SIGTERM)
        try session.wait(for: "over")
        let settings = try #require(try session.shown().components(separatedBy: "PIN:").last)
        #expect(settings.contains(" icanon") && !settings.contains("-isig"), "\(settings)")
    }

    @Test(
        "the demonstration leaves nothing of its vault behind, ended in the middle too", arguments: [SIGTERM, SIGINT])
    func demonstration(_ signal: Int32) throws {
        let scratch = try Scratch()
        let session = try TerminalSession(
            words: ["env", "TMPDIR=\(scratch.path)", DemoVault.casemate.path, "demo"])
        try session.wait(for: "Type yes to go on")
        let made = { try FileManager.default.contentsOfDirectory(atPath: scratch.path) }
        #expect(try made().contains { $0.hasPrefix("casemate-demo-") })
        kill(try session.programID(), signal)
        #expect(session.exitCode() != 0)
        #expect(try !made().contains { $0.hasPrefix("casemate-demo-") })
    }
}
