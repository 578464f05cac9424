import Foundation
import TestSupport
import Testing

/// A program in a terminal of its own, whose screen is read and whose keys are typed step by step.
final class TerminalSession {
    private let process = Process()
    private let keyboard = Pipe()
    private let screen: URL
    private let scratch: Scratch
    private var read = 0

    struct NotShown: Error, CustomStringConvertible {
        var description: String
    }

    convenience init(_ program: Program, _ arguments: [String]) throws {
        try self.init(words: [program.path] + arguments)
    }

    /// - Parameter words: a program and its arguments.
    init(words: [String]) throws {
        scratch = try Scratch()
        screen = URL(filePath: scratch.path("screen"))
        try Data().write(to: screen)
        let command = words.map(Program.quoted).joined(separator: " ")
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            // Of tests in the background, what a terminal sends is ignored, and would be by what they start.
            "exec env --default-signal script --quiet --flush --return --echo never "
                + "--command \(Program.quoted(command)) /dev/null >\(Program.quoted(screen.path))",
        ]
        process.standardInput = keyboard
        // The threads of tests block signals, and what they start would too.
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    /// Waits until the screen shows a text behind what was waited for before.
    func wait(for text: String) throws {
        for _ in 0..<30_000 {
            let shown = try Data(contentsOf: screen)
            if let found = shown[read...].range(of: Data(text.utf8)) {
                read = found.upperBound
                return
            }
            if !process.isRunning, try Data(contentsOf: screen).count == shown.count { break }
            usleep(20_000)
        }
        throw NotShown(description: "'\(text)' did not appear; the screen: \(try shown())")
    }

    func type(_ line: String) throws { try send(line + "\n") }

    /// Presses keys without one that ends the line.
    func send(_ keys: String) throws { try keyboard.fileHandleForWriting.write(contentsOf: Data(keys.utf8)) }

    func shown() throws -> String { String(decoding: try Data(contentsOf: screen), as: UTF8.self) }

    /// Waits for the program to end.
    func exitCode() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// The process of the program itself, below the one that holds the terminal.
    func programID() throws -> Int32 {
        for entry in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let id = Int32(entry),
                let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/exe"),
                executable.hasSuffix("/casemate"),
                let stat = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
            else { continue }
            var ancestor = id
            var line = stat
            // The parent is the second field behind the name in brackets.
            while let parent = line.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap({
                Int32($0)
            }),
                parent > 1
            {
                if parent == process.processIdentifier { return id }
                ancestor = parent
                guard let next = try? String(contentsOfFile: "/proc/\(ancestor)/stat", encoding: .utf8) else { break }
                line = next
            }
        }
        throw NotShown(description: "the program is not running; the screen: \(try shown())")
    }
}

/// The memory of another process, as a debugger of the same user reads it.
enum MemoryImage {
    /// - Returns: for each text that was found the name of the mapping that it lies in.
    /// - Throws: if the system does not let this process look.
    static func search(process id: Int32, for needles: [String: [UInt8]]) throws -> [String: String] {
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(id)/mem"))
        var found: [String: String] = [:]
        var readable = 0
        for line in try KernelFile.text("/proc/\(id)/maps").split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            // What the program was loaded with holds nothing of a person; the kernel's own pages cannot be read.
            guard fields[1].hasPrefix("rw"), ends.count == 2, ends[1] < 1 << 47 else { continue }
            try memory.seek(toOffset: ends[0])
            // Secret memory is refused here, which is what it is for.
            guard let content = try? memory.read(upToCount: Int(ends[1] - ends[0])), !content.isEmpty else { continue }
            readable += content.count
            for (name, needle) in needles where content.range(of: Data(needle)) != nil {
                found[name] = fields.count > 5 ? String(fields[5]) : "plain memory"
            }
        }
        try #require(readable > 1 << 20, "the memory was not read")
        return found
    }
}
