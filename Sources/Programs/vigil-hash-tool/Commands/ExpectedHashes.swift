import ArgumentParser
import BasicFoundation
import ExecutableImage

struct ExpectedHashes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "expected-hashes",
        abstract: "Write the digests of a program as a property list, for validators of version 1.",
        discussion: """
            The same without its name:  vigil-hash-tool --input app --output ExpectedHashes.plist

            The list has app_text_hash (text1) and app_text2_hash, or with --role validator the same of the validator. \
            What the file has for the other role stays.
            """)

    enum Role: String, ExpressibleByArgument, CaseIterable {
        case app, validator
    }

    @Option(
        name: [.customLong("input"), .customLong("binary")],
        help: ArgumentHelp("The program.", valueName: "file"), completion: .file())
    var input: String?

    @Option(help: ArgumentHelp("The property list.", valueName: "file"), completion: .file())
    var output: String?

    @Option(help: "Whose hashes these are: app or validator.")
    var role = Role.app

    @OptionGroup var architecture: ArchitectureOption

    func run() throws {
        guard input != nil || output != nil else { throw CleanExit.helpRequest(VigilHashTool.self) }
        guard let input, let output else { throw ValidationError("Give both --input and --output.") }
        let digests = try digests(of: input)
        var list = try Self.list(at: output)
        list["\(role.rawValue)_text_hash"] = digests.text1?.description
        list["\(role.rawValue)_text2_hash"] = digests.text2?.description
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        try CommandFile.write(Array(encoder.encode(list)), to: output)
    }

    private func digests(of path: String) throws(Failure) -> ImageDigests {
        try MeasuredFile.measure(path, kinds: [.text1, .text2], architecture: architecture.name, isOne: true) {
            (measured: MeasuredFile) in measured.digests.images[0]
        }
    }

    /// What is there already; a file that is no such list is left alone.
    private static func list(at path: String) throws(Failure) -> [String: String] {
        guard FileManager.default.fileExists(atPath: path) else { return [:] }
        guard let data = FileManager.default.contents(atPath: path),
            let list = try? PropertyListDecoder().decode([String: String].self, from: data)
        else { throw .notOurs(path: path) }
        return list
    }
}
