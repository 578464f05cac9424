import ArgumentParser
import Console
import ExecutableImage
import TextForms

struct Hash: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hash",
        abstract: "Print the digests of programs and libraries.",
        discussion: """
            A line is  <hex>  <path>  as sha256sum prints it; of a universal binary there is one for each \
            architecture, with its name in round brackets behind the path. Where several profiles are printed, the \
            name of the profile ends the line.

            What breaks a rule of its format is refused and named on standard error; the other files are hashed, and \
            the exit code is 3.
            """)

    @Argument(help: "Files; symbolic links are not followed.", completion: .file())
    var files: [String]

    @Option(help: "Which digest: text1, text2, load2, file, pageRoot, fsverity, or all.")
    var profile: Profile?

    @OptionGroup var architecture: ArchitectureOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        // Machines get what known answers have; people get the identity.
        let kinds = profile?.kinds ?? (output.json ? Profile.answers : [.text2])
        var answers: [String: FileJSON] = [:]
        var worst: Int32 = 0
        for file in files {
            do {
                let (answer, lines) = try measure(file, kinds)
                answers[file] = answer
                if !output.json { for line in lines { print(line) } }
            } catch {
                answers[file] = FileJSON(error: error.identifier ?? "unreadable")
                if !output.json || error.identifier == nil { error.show() }
                worst = max(worst, error.exitCode)
            }
        }
        if output.json { try output.printJSON(answers) }
        if worst > 0 { throw ExitCode(worst) }
    }

    private func measure(_ path: String, _ kinds: Set<DigestKind>) throws(Failure) -> (FileJSON, [String]) {
        try MeasuredFile.measure(path, kinds: kinds, architecture: architecture.name) {
            (file: MeasuredFile) throws(ImageFailure) in
            (output.json ? try FileJSON(file) : FileJSON(), lines(of: file, kinds, path: ScreenText.escape(path)))
        }
    }

    private func lines(of file: MeasuredFile, _ kinds: Set<DigestKind>, path: String) -> [String] {
        DigestKind.allCases.filter(kinds.contains).flatMap { kind in
            let label = kinds.count > 1 ? "  \(kind.rawValue)" : ""
            switch kind {
            case .file: return file.digests.file.map { ["\($0)  \(path)\(label)"] } ?? []
            case .fsverity: return file.digests.fsverity.map { ["\($0)  \(path)\(label)"] } ?? []
            default:
                return zip(file.images, file.digests.images).compactMap { image, digests in
                    let name = file.parsed.container == .fat ? " (\(image.architecture))" : ""
                    return digests[kind].map { "\($0)  \(path)\(name)\(label)" }
                }
            }
        }
    }
}

/// A choice of digests.
enum Profile: String, ExpressibleByArgument, CaseIterable {
    case text1, text2, load2, file, pageRoot, fsverity, all

    var kinds: Set<DigestKind> { DigestKind(rawValue: rawValue).map { [$0] } ?? Set(DigestKind.allCases) }

    /// What known answers of files have.
    static let answers: Set<DigestKind> = [.text1, .text2, .load2, .pageRoot, .file]
}

/// The option that chooses one architecture of several.
struct ArchitectureOption: ParsableArguments {
    @Option(
        name: .customLong("arch"),
        help: ArgumentHelp("Only this architecture, such as arm64 or x86_64.", valueName: "name"))
    var name: String?
}
