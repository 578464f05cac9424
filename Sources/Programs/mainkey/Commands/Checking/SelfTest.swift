import ArgumentParser
import BasicFoundation
import Console
import Files
import KnownAnswers
import MainKeyKnownAnswers

struct SelfTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "selftest",
        abstract: "Try on this machine what the vault promises: vectors, memory.",
        discussion: "All work in folders of their own and touch no vault.",
        subcommands: [Vectors.self, Memory.self])

    struct Vectors: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "vectors",
            abstract: "Run a folder of known answers through this program's libraries.")

        @Argument(help: "The folder.", completion: .directory)
        var folder: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            guard Folder.exists(at: FilePath(folder)) else {
                throw Failure.unreadable(path: folder, reason: "it is no folder")
            }
            var report = Report()
            // Each failure is printed as it happens; one object is to be all that machines read.
            try StandardStreams.withOutputToErrors(output.json) {
                try MainKeyTopic.run(folder: URL(filePath: folder, directoryHint: .isDirectory), report: &report)
                if !output.json { report.printSummary() }
            }
            guard report.failed == 0 else { throw Failure.testFailed("\(report.failed) known answers differ.") }
            guard report.passed > 0 else { throw Failure.testFailed("Nothing in \(folder) could be checked.") }
            if output.json { try output.printJSON(["passed": report.passed, "failed": 0, "skipped": report.skipped]) }
        }
    }

    struct Memory: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "memory",
            abstract: "Look for copies of keys in all memory of this process after a vault has locked, and on the disk."
        )

        @OptionGroup var output: OutputOptions

        func run() throws {
            let result = try MemoryTest.run()
            guard result.after.isEmpty else {
                let list = result.after.map { "\($0.needle) in \($0.mapping)" }.joined(separator: ", ")
                throw Failure.testFailed("Copies stayed behind after locking: \(list).")
            }
            guard result.onDisk.isEmpty else {
                throw Failure.testFailed("Written to the disk: \(result.onDisk.joined(separator: ", ")).")
            }
            struct Answer: Encodable {
                var looked: [String]
                var foundUnlocked: Int
                var foundLocked = 0
                var filesSearched: Int
            }
            try output.show(
                Answer(looked: result.names, foundUnlocked: result.before, filesSearched: result.files),
                text: """
                    Looked for: \(result.names.joined(separator: ", ")).
                    While unlocked \(result.before) copies, in memory for secrets. After locking none, anywhere.
                    None in \(result.files) files either, also not as hex or base64.
                    """)
        }
    }
}

/// Standard output, which can be turned to standard error for a while.
private enum StandardStreams {
    static func withOutputToErrors(_ isWanted: Bool, _ body: () throws -> Void) rethrows {
        guard isWanted else { return try body() }
        fflush(nil)
        let saved = dup(STDOUT_FILENO)
        dup2(STDERR_FILENO, STDOUT_FILENO)
        defer {
            fflush(nil)
            dup2(saved, STDOUT_FILENO)
            close(saved)
        }
        try body()
    }
}
