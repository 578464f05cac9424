import ArgumentParser
import BasicFoundation
import Files
import KnownAnswers
import SignerKnownAnswers
import Synchronization

/// Lists of what the vault's rules have to give, run through them.
extension CoreCommand {
    /// The file of a list, and how its answers are printed.
    struct ListOptions: ParsableArguments {
        @Argument(help: "The list, a JSON file.", completion: .file())
        var file: String

        private struct Line: Encodable {
            var answer: String
            var id: String?
            var differences: [String]?
            var skipped: String?
        }

        private final class Count: Sendable {
            let value = Mutex(0)
        }

        private struct Sum: Encodable {
            var passed: Int
            var failed: Int
            var skipped: Int
        }

        /// Prints a line for each answer and one for all.
        ///
        /// - Parameter hiding: whether what differs is not said, since it may be a secret.
        func run(_ list: ProductList, hiding: Bool = false) throws {
            // A file that cannot be read is told from one that is no list.
            _ = try InputFile.content(of: FilePath(file), limit: FlowFiles.limit)
            let place = URL(filePath: file)
            // Of the list alone: what stands beside it is checked too.
            let passed = Count()
            var report = Report { row in
                if row.differences.isEmpty, row.skipReason == nil { passed.value.withLock { $0 += 1 } }
                let hidden = hiding && !row.differences.isEmpty
                try? Lines(revealing: false).print(
                    Line(
                        answer: row.name, id: row.id,
                        differences: row.differences.isEmpty
                            ? nil : hidden ? ["hidden: --reveal shows it"] : row.differences,
                        skipped: row.skipReason))
            }
            list.check(
                AnswerFile(folder: place.deletingLastPathComponent(), path: place.lastPathComponent), report: &report)
            try Lines(revealing: false).print(
                Sum(passed: passed.value.withLock { $0 }, failed: report.failed, skipped: report.skipped))
            guard report.failed == 0, report.passed > 0 else { throw ExitCode.failure }
        }
    }

    private static let printed = """
        Prints a line of JSON for each answer, with the differences if it is another one, and a last line with how many passed. \
        Exits with 1 if one differs. The form of the file: docs/formats/signer-product.md, section 12.4.
        """

    struct VerifierTable: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "verifier-table",
            abstract: "Judge single updates over abstract states, and compare what becomes of them.",
            discussion: printed)

        @OptionGroup var list: ListOptions

        func run() throws { try list.run(.verifierTable) }
    }

    struct Scenarios: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "scenarios",
            abstract:
                "Take updates in one after the other, over vaults in memory, and compare what is there behind each.",
            discussion: printed + " The payloads are in the folder payloads beside it.")

        @OptionGroup var list: ListOptions

        func run() throws { try list.run(.scenarios) }
    }

    struct Draft: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "draft",
            abstract: "Type phrases step by step, and compare what is seen behind each.",
            discussion: printed + " The words of a difference are left out, unless --reveal asks for them.")

        @OptionGroup var list: ListOptions

        @Flag(help: "Print the words that differ.")
        var reveal = false

        func run() throws { try list.run(.drafts, hiding: !reveal) }
    }

    struct Detector: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "detector",
            abstract: "Give readings of a network's probes to the detector, and compare its states and its log.",
            discussion: printed)

        @OptionGroup var list: ListOptions

        func run() throws { try list.run(.detector) }
    }
}
