import Foundation
import TestSupport
import Testing

/// `casemate core act` over a vault in a folder, driven line by line as a window would.
final class LivingSession {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let scratch: Scratch
    private var rest = Data()

    struct Ended: Error {}

    /// - Parameters:
    ///   - folder: of the vault.
    ///   - pins: the lines of the descriptor for what opens the vault.
    ///   - secrets: the lines of descriptor 5.
    init(_ folder: String, pins: [String], secrets: [String] = []) throws {
        scratch = try Scratch()
        try Data(pins.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: scratch.path("pins")))
        try Data(secrets.map { $0 + "\n" }.joined().utf8).write(to: URL(filePath: scratch.path("secrets")))
        let words = [DemoVault.casemate.path, "core", "act", "--vault", folder, "--pin-fd", "3", "--reveal-fd", "4"]
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c",
            "exec \(words.map(Program.quoted).joined(separator: " ")) 3<\(Program.quoted(scratch.path("pins")))"
                + " 4>\(Program.quoted(scratch.path("shown"))) 5<\(Program.quoted(scratch.path("secrets")))",
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// Sends a line, and waits for what is answered.
    @discardableResult
    func send(_ line: String) throws -> JSON { try send(Array(line.utf8)) }

    func send(_ line: [UInt8]) throws -> JSON {
        try input.fileHandleForWriting.write(contentsOf: Data(line + [UInt8(ascii: "\n")]))
        return try next()
    }

    /// Does an action.
    @discardableResult
    func act(_ action: String, _ data: String? = nil, secretFd: Int? = nil) throws -> JSON {
        let members = [
            "\"action\":\"\(action)\"", try data.map { "\"data\":\(try Self.quoted($0))" },
            secretFd.map { "\"secretFd\":\($0)" },
        ]
        return try send("{\(members.compactMap { $0 }.joined(separator: ","))}")
    }

    private static func quoted(_ text: String) throws -> String {
        String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
    }

    /// The next line that is printed, whoever asked for it.
    func next() throws -> JSON {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return try JSON(parsing: Array(rest[..<end]))
            }
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Ended() }
            rest += more
        }
    }

    /// What was written of secrets so far.
    func shown() throws -> String { try String(contentsOfFile: scratch.path("shown"), encoding: .utf8) }

    func raise(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Ends its input, and waits for the end.
    func end() throws -> (reason: Process.TerminationReason, status: Int32) {
        try input.fileHandleForWriting.close()
        return ended()
    }

    func ended() -> (reason: Process.TerminationReason, status: Int32) {
        process.waitUntilExit()
        return (process.terminationReason, process.terminationStatus)
    }
}
