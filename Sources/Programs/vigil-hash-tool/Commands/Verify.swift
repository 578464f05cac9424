import ArgumentParser
import Console
import ManifestMaking
import TextForms
import Vigil

struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check the signatures of a manifest, and the files that it is about.",
        discussion: """
            A trusted key is a PEM file with a public key, or 130 hexadecimal digits (X9.63). The exit code is 1 if a \
            file differs, and 3 if the manifest itself is not accepted.
            """)

    @Argument(help: "The signed manifest.", completion: .file())
    var manifest: String

    @Option(
        parsing: .upToNextOption, help: ArgumentHelp("Keys that are trusted.", valueName: "key"), completion: .file())
    var trust: [String]

    @Option(help: "How many of them have to have signed.")
    var threshold = 1

    @Option(help: ArgumentHelp("Compare the files below.", valueName: "folder"), completion: .directory)
    var against: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let keys = try trust.map(TrustedKeyFile.read)
        guard let trusted = TrustedKeys(keys, threshold: threshold) else {
            throw ValidationError("Give at least one key, and a threshold from 1 to the number of different keys.")
        }
        let content = try CommandFile.read(manifest, limit: Envelope.sizeLimit)
        let verified: Manifest
        do { verified = try Manifest(verifying: content, by: trusted) } catch {
            throw Failure.manifest(path: manifest, error)
        }
        let differences = against.map(verified.differences) ?? []
        try output.show(
            Outcome(product: verified.product, epoch: verified.epoch, differences: differences.map(\.description)),
            text: ([
                "\(ScreenText.escape(verified.product)), epoch \(verified.epoch): "
                    + (against == nil ? "signed" : differences.isEmpty ? "signed, all files as signed" : "signed")
            ] + differences.map { "differs: " + ScreenText.escape($0.description) }).joined(separator: "\n"))
        if !differences.isEmpty { throw ExitCode(1) }
    }

    private struct Outcome: Encodable {
        var product: String
        var epoch: UInt32
        var differences: [String]
    }
}
