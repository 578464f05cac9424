import Foundation
import Processes
import TestSupport
import Testing

/// Tests that measure how fast a program answers while they keep the machine busy: `scripts/test.sh` runs them when all
/// others are done.
enum TestsAlone {
    static let areWanted = ProcessInfo.processInfo.environment["TESTS_ALONE"] != nil
    static let reason: Comment = "it runs alone, when all others are done (TESTS_ALONE=1)"
}

/// A built program, run as a person or a script would run it.
struct Program {
    let name: String

    struct Outcome {
        var exitCode: Int32
        var output: String
        var errors: String
        /// What was written to the descriptors that were given for it.
        var taken: [Int: String] = [:]
    }

    /// The folder of the built programs: the one that the test bundle is in.
    static let folder: URL = {
        var folder = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        while !FileManager.default.isExecutableFile(atPath: folder.appending(path: "mainkey").path), folder.path != "/"
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    var path: String { Self.folder.appending(path: name).path }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - secrets: descriptor number to the bytes that can be read from it; they pass through files of 0600 that are
    ///     gone when this returns.
    ///   - taking: numbers of descriptors that are open for writing.
    ///   - environment: added to that of the tests.
    func run(
        _ arguments: [String], input: [UInt8] = [], secrets: [Int: String] = [:], taking: Set<Int> = [],
        environment: [String: String] = [:]
    ) throws -> Outcome {
        let descriptors = try LentDescriptors(secrets, taking: taking)
        let command = ([path] + arguments).map(Self.quoted).joined(separator: " ")
        let settings = environment.map { " " + Self.quoted("\($0)=\($1)") }.joined()
        var outcome = try Self.shell("exec env\(settings) \(command)\(descriptors.redirections)", input: input)
        outcome.taken = try descriptors.taken()
        return outcome
    }

    /// Runs the program in a terminal of its own and types `keys` into it.
    func runInTerminal(_ arguments: [String], keys: String) throws -> Outcome {
        let command = ([path] + arguments).map(Self.quoted).joined(separator: " ")
        return try Self.shell(
            "exec script --quiet --return --echo never --command \(Self.quoted(command)) /dev/null",
            input: Array(keys.utf8))
    }

    static func quoted(_ word: String) -> String {
        "'" + word.replacing("'", with: "'\\''") + "'"
    }

    static func shell(_ command: String, input: [UInt8] = []) throws -> Outcome {
        let scratch = try Scratch()
        let files = (input: scratch.path("in"), output: scratch.path("out"), errors: scratch.path("err"))
        try Data(input).write(to: URL(filePath: files.input))
        // Thousands are run. Foundation's Process would have a run loop and its timers for each.
        let words = ["-c", "\(command) <\(quoted(files.input)) >\(quoted(files.output)) 2>\(quoted(files.errors))"]
        let status = try SpawnedProgram("/bin/sh", words).wait()
        let signal = status & 0x7f
        return Outcome(
            exitCode: signal == 0 ? status >> 8 & 0xff : signal,
            output: String(decoding: try Data(contentsOf: URL(filePath: files.output)), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: URL(filePath: files.errors)), as: UTF8.self))
    }
}

/// Files of 0600 behind descriptors of a program: some hold secrets, others take what it writes.
struct LentDescriptors {
    private let scratch: Scratch
    private let taking: Set<Int>
    /// For the shell, behind the command.
    private(set) var redirections = ""

    init(_ secrets: [Int: String], taking: Set<Int>) throws {
        scratch = try Scratch()
        self.taking = taking
        for (descriptor, secret) in secrets.sorted(by: { $0.key < $1.key }) {
            try Data(secret.utf8).write(to: URL(filePath: path(descriptor)))
            redirections += " \(descriptor)<\(Program.quoted(path(descriptor)))"
        }
        for descriptor in taking.sorted() { redirections += " \(descriptor)>\(Program.quoted(path(descriptor)))" }
    }

    private func path(_ descriptor: Int) -> String { scratch.path("descriptor-\(descriptor)") }

    func taken() throws -> [Int: String] {
        var taken: [Int: String] = [:]
        for descriptor in taking { taken[descriptor] = try String(contentsOfFile: path(descriptor), encoding: .utf8) }
        return taken
    }
}

typealias Scratch = TemporaryFolder

extension Program.Outcome {
    /// Requires that the program ended well; else its errors tell why.
    @discardableResult
    func succeeded(_ location: SourceLocation = #_sourceLocation) throws -> Self {
        try #require(exitCode == 0, "\(errors)", sourceLocation: location)
        return self
    }
}
