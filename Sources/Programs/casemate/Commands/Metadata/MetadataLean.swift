import ArgumentParser
import Console
import Files
import Substrate
import TextForms

extension Metadata {
    struct Lean: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "lean",
            abstract: "Drop the documentation texts from metadata.",
            discussion: """
                Every call decodes to the same cards, only without explanations; the file is about half as long to \
                film. The result has another hash than the chain's metadata, and the same metadata hash.
                """)

        @OptionGroup var file: MetadataFile

        @Option(help: ArgumentHelp("Where the lean metadata go.", valueName: "file"), completion: .file())
        var out: String

        @OptionGroup var output: OutputOptions

        func run() throws {
            let blob = try file.blob()
            let lean = try file.named { try LeanMetadata.transform(blob) }
            let metadata = try RuntimeMetadata(lean)
            try PreparedFile.replace(FilePath(out), with: lean)
            struct Result: Encodable {
                var name: String
                var version: UInt32
                var before: Int
                var after: Int
                var hash: String
            }
            let result = Result(
                name: metadata.specName, version: metadata.specVersion, before: blob.count, after: lean.count,
                hash: metadata.blobHash.hex)
            try output.show(
                result,
                text: "\(ScreenText.escape(result.name))\(result.version): \(result.before) bytes, lean "
                    + "\(result.after) bytes, written to \(out)")
        }
    }
}
