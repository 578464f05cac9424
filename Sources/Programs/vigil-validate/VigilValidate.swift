import ArgumentParser
import BasicFoundation
import Console
import Vigil

@main
struct VigilValidate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil-validate",
        abstract: "Checks an installation of a program and its validator.",
        discussion: """
            Looks at the manifest, at every file that it is about, at who may change them, and at what the \
            configurations name: state folders, keys, the folder of the socket. It changes nothing, and asks no \
            running process.

            First steps:
              vigil-validate /opt/example --config /etc/example/vigil-validator.json
              vigil-validate /opt/example --trust release.pub

            EXIT CODES
              0  all is as it has to be
              1  something is not
              2  wrong usage
              3  the manifest or a configuration is malformed or not signed by a trusted key
              4  something cannot be read
            """,
        version: "0.1.0")

    @Argument(help: "The folder of the installation.", completion: .directory)
    var folder: String

    @Option(
        help: ArgumentHelp(
            "A configuration of either side (else vigil-app.json and vigil-validator.json in its etc/, and those of each user in etc/users/).",
            valueName: "file"),
        completion: .file())
    var config: [String] = []

    @Option(
        help: ArgumentHelp("The manifest (else that of a configuration, else vigil-manifest.json).", valueName: "file"))
    var manifest: String?

    @Option(
        help: ArgumentHelp(
            "A release key in PEM (else those of this program, else of a configuration).", valueName: "file"),
        completion: .file())
    var trust: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        // An empty name would stand for the folder that one is in.
        guard !([folder] + config + trust + [manifest].compactMap(\.self)).contains("") else {
            throw ValidationError("A name is empty. Give the path of a folder or file.")
        }
    }

    func run() throws {
        let checks = InstallationChecks(
            folder: absolute(folder), configurations: configurations, manifest: manifest.map(absolute),
            trust: trust.map(absolute)
        ).run()
        try output.show(
            checks,
            text: Table.text(["CHECK", "", ""], checks.map { [$0.name, Self.word($0.outcome), $0.detail] }))
        if let code = checks.map(\.outcome.exitCode).max(), code > 0 { throw ExitCode(code) }
    }

    private static func word(_ outcome: InstallationCheck.Outcome) -> String {
        switch outcome {
        case .passed: "passed"
        case .noted: "note"
        case .failed, .malformed, .unreadable: "FAILED"
        }
    }

    private var configurations: [String] {
        guard config.isEmpty else { return config.map(absolute) }
        let etc = "\(absolute(folder))/etc"
        let users = (try? FileManager.default.contentsOfDirectory(atPath: "\(etc)/users").sorted()) ?? []
        return ([etc] + users.map { "\(etc)/users/\($0)" })
            .flatMap { ["\($0)/vigil-app.json", "\($0)/vigil-validator.json"] }
            .filter(FileManager.default.fileExists)
    }

    private func absolute(_ path: String) -> String { URL(filePath: path).standardizedFileURL.path }

    static func main() {
        StandardStreams.claim(wrongUsage: 2)
        do {
            var command = try parseProgram()
            try command.run()
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            exit(withError: error)
        } catch {
            StandardError.write(StandardError.shown(fullMessage(for: error)) + "\n")
            BasicFoundation.exit(exitCode(for: error) == .validationFailure ? 2 : 4)
        }
    }
}
