import Foundation
import Processes
import Testing

/// The screen of a terminal as a person sees it: a program runs in tmux, which draws into a grid of cells.
final class TmuxScreen {
    /// A server of its own, which no other tmux of this user meets.
    private let server = "casemate-\(UUID().uuidString)"
    private let process: SpawnedProgram

    static let isThere = (try? Program.shell("command -v tmux"))?.exitCode == 0

    struct NotShown: Error, CustomStringConvertible {
        var description: String
    }

    init(columns: Int, rows: Int, _ program: Program, _ arguments: [String], redirection: String = "") throws {
        // Not as a daemon, which would live on, nor with the signals blocked that this thread blocks: one ends it.
        process = try SpawnedProgram(
            "/usr/bin/env", ["LC_ALL=C.UTF-8", "TERM=xterm", "tmux", "-D", "-L", server, "-f", "/dev/null"],
            outputs: .nowhere)
        let command = ([program.path] + arguments).map(Program.quoted).joined(separator: " ") + redirection
        // What stays on the screen when the program has ended is how it ended.
        let screen = [
            "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "sh", "-c",
            "\(command); echo \"ended with $?\"; exec sleep 3600",
        ]
        var pause = GrowingPause()
        for _ in 0..<1_000 {
            if (try? tmux(screen)) != nil { return }
            pause.pass()
        }
        _ = try tmux(screen)
    }

    deinit {
        kill(process.id, SIGTERM)
        process.wait()
    }

    /// The lines of the screen, without blanks at their ends.
    func lines() throws -> [String] {
        try tmux(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    func text() throws -> String { try lines().joined(separator: "\n") }

    /// Waits until a text is on the screen.
    func wait(for wanted: String) throws {
        var pause = GrowingPause()
        for _ in 0..<1_500 {
            if try text().contains(wanted) { return }
            pause.pass()
        }
        throw NotShown(description: "'\(wanted)' did not appear; the screen:\n\(try text())")
    }

    func resize(columns: Int, rows: Int) throws {
        _ = try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }

    /// Types a line.
    func type(_ line: String) throws {
        if !line.isEmpty { try send(line) }
        try press("Enter")
    }

    /// Presses a key that tmux has a name for.
    func press(_ key: String) throws { _ = try tmux(["send-keys", key]) }

    /// Presses keys without one that ends the line.
    func send(_ keys: String) throws { _ = try tmux(["send-keys", "-l", keys]) }

    /// Asks the server, and starts none.
    private func tmux(_ arguments: [String]) throws -> String {
        let command = (["tmux", "-N", "-u", "-L", server] + arguments).map(Program.quoted)
        let outcome = try Program.shell("exec env LC_ALL=C.UTF-8 TERM=xterm \(command.joined(separator: " "))")
        guard outcome.exitCode == 0 else { throw NotShown(description: "tmux: \(outcome.errors)") }
        return outcome.output
    }
}
