import ArgumentParser
import Foundation
import Substrate

struct Metadata: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runtime metadata files.", subcommands: [Lean.self])

    struct Lean: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop the documentation texts from metadata.",
            discussion: """
                Every call decodes to the same cards, only without explanations; the file is about half as long to film. The result
                has another hash than the chain's metadata.
                """)

        @OptionGroup var output: OutputOptions

        @Argument(help: "Raw metadata (beginning with 'meta'), V14 or V15.", completion: .file())
        var input: String

        @Option(help: ArgumentHelp("Where the lean metadata go.", valueName: "file"), completion: .file())
        var out: String

        func run() throws {
            let blob: [UInt8]
            do { blob = Array(try Data(contentsOf: URL(filePath: input))) } catch {
                throw Failure.unreadableFile(path: input, reason: error.localizedDescription)
            }
            let lean = try LeanMetadata.transform(blob)
            let metadata = try RuntimeMetadata(lean)
            do { try Data(lean).write(to: URL(filePath: out), options: .atomic) } catch {
                throw Failure.cannotWrite(path: out, reason: error.localizedDescription)
            }
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
                text:
                    "\(result.name)\(result.version): \(result.before) bytes, lean \(result.after) bytes, written to \(out)"
            )
        }
    }
}
