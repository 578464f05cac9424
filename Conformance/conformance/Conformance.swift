import ArgumentParser
import BasicFoundation
import Console
import ForceFieldWatch
import KnownAnswers
import TextForms

@main
struct Conformance: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Run a folder of known answers through the libraries.",
        discussion: """
            Prints each failure and at the end the line "N passed, N failed". TOPIC is one of:

            \(topicList)

            Exit codes: 0 all passed, 1 something failed, 2 the folder cannot be read or holds nothing to check,
            64 wrong usage.
            """,
        version: "0.1.0")

    /// The width of the names of topics with two blanks behind them.
    private static let width = 2 + (topics.map { DisplayWidth.of($0.name) }.max() ?? 0)
    private static let topicList = topics.map { topic in
        "  \(DisplayWidth.padded(topic.name, to: width))\(topic.summary)"
    }.joined(separator: "\n")

    static func main() {
        // Some answers are given by workers, which are this program.
        BuiltInWorker.runIfWorker()
        // Who reads no answer must not take it for a good one.
        StandardStreams.claim()
        main(nil)
    }

    @Argument(help: "What the folder holds: \(topics.map { $0.name }.joined(separator: ", ")).")
    var topic: String

    @Argument(help: "A folder in the format of that topic.", completion: .directory)
    var folder: String

    func validate() throws {
        guard topics.contains(where: { $0.name == topic }) else {
            throw ValidationError(
                "Unknown topic '\(topic)'. Topics: \(topics.map { $0.name }.joined(separator: ", ")).")
        }
    }

    func run() throws {
        guard let topic = topics.first(where: { $0.name == topic }) else { return }
        do { _ = try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
            print("\(folder) cannot be read: \(error.reasonOfSystem). Give the folder that holds the known answers.")
            throw ExitCode(2)
        }
        var report = Report()
        do {
            try topic.run(folder: URL(filePath: folder, directoryHint: .isDirectory), report: &report)
        } catch let error as CocoaError {
            print("\(ScreenText.escape(error.filePath ?? folder)) cannot be read: \(error.reasonOfSystem).")
            throw ExitCode(2)
        }
        report.printSummary()
        if report.failed > 0 { throw ExitCode(1) }
        if report.passed == 0 {
            print("Nothing in \(folder) could be checked under topic \(topic.name).")
            throw ExitCode(2)
        }
    }
}
