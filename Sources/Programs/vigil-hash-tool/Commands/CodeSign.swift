import ArgumentParser
import Console
import ExecutableImage
import TextForms

struct CodeSign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codesign",
        abstract: "Check the pages of a Mach-O file against its code signature.",
        discussion: """
            Exits with 1 if a page differs or has no hash. Certificates are not checked: anyone can make an ad-hoc signature whose \
            pages match, so that a match alone proves nothing.
            """)

    @Argument(help: "A Mach-O file.", completion: .file())
    var file: String

    @OptionGroup var architecture: ArchitectureOption
    @OptionGroup var output: OutputOptions

    func run() throws {
        let signatures = try MeasuredFile.measure(file, architecture: architecture.name) {
            (measured: MeasuredFile) throws(ImageFailure) in
            var found: [SignatureOfImage] = []
            for image in measured.images {
                let signature = try measured.parsed.codeSignature(of: image)
                found.append(SignatureOfImage(architecture: image.architecture, signature: signature))
            }
            return found
        }
        try output.show(
            signatures.map(SignatureJSON.init),
            text: signatures.map { $0.text(path: ScreenText.escape(file)) }.joined(separator: "\n"))
        if signatures.contains(where: { $0.signature?.codeNotCovered != nil }) { throw ExitCode(1) }
    }
}

private struct SignatureOfImage {
    let architecture: String
    let signature: CodeSignature?

    func text(path: String) -> String {
        let title = "\(path) (\(architecture))"
        guard let signature else { return "\(title)\n  not signed" }
        let certificate = "  certificate \(signature.hasCertificate ? "there is one, not checked here" : "none")"
        return ([title] + signature.directories.flatMap(\.lines) + [certificate]).joined(separator: "\n")
    }
}

private struct SignatureJSON: Encodable {
    var arch: String
    var codeSigned: Bool
    var coversCode: Bool?
    var codeSignature: [DirectoryJSON]?

    init(_ found: SignatureOfImage) {
        arch = found.architecture
        codeSigned = found.signature != nil
        coversCode = found.signature.map { $0.codeNotCovered == nil }
        codeSignature = found.signature?.directories.map(DirectoryJSON.init)
    }
}
