import ArgumentParser
import Console
import ExecutableImage
import TextForms

struct Writable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "writable",
        abstract: "Say which constants and addresses of functions of a program stay writable while it runs.",
        discussion: """
            What is writable is not measured: whoever changes it changes what the program does, and nobody notices. In \
            a good program constants are read-only from the start, and what the loader fills in is read-only from then \
            on. Exits with 1 if something is not.
            """)

    @Argument(help: "Files; symbolic links are not followed.", completion: .file())
    var files: [String]

    @OptionGroup var architecture: ArchitectureOption
    @OptionGroup var output: OutputOptions

    private struct Answer: Encodable {
        var path: String
        var arch: String
        var writable: [String]
    }

    func run() throws {
        var answers: [Answer] = []
        for file in files {
            answers += try MeasuredFile.measure(file, architecture: architecture.name) {
                (measured: MeasuredFile) throws(ImageFailure) in
                var found: [Answer] = []
                for image in measured.images {
                    let parts = try measured.parsed.writableParts(of: image)
                    found.append(Answer(path: file, arch: image.architecture, writable: parts.map(\.description)))
                }
                return found
            }
        }
        try output.show(
            answers,
            text: answers.map { answer in
                let name = "\(ScreenText.escape(answer.path)) (\(answer.arch)): "
                guard !answer.writable.isEmpty else { return name + "all constants are read-only" }
                return answer.writable.map { name + ScreenText.escape($0) }.joined(separator: "\n")
            }.joined(separator: "\n"))
        if answers.contains(where: { !$0.writable.isEmpty }) { throw ExitCode(1) }
    }
}
