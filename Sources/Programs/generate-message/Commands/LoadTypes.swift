import Airgap
import ArgumentParser
import Console
import Files
import HotSide
import Substrate

struct LoadTypes: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load-types",
        abstract: "Write the table of types, which metadata 12 and 13 need, to be signed.",
        discussion:
            "No release brings a table. --types-file puts one into the database first: the encoded table, as bytes or hex."
    )

    @Option(help: ArgumentHelp("A table to be stored.", valueName: "file"), completion: .file())
    var typesFile: String?

    @OptionGroup var hot: HotOptions
    @OptionGroup var folder: FolderOptions
    @OptionGroup var output: OutputOptions

    private static let limit = 8 << 20

    func run() throws {
        let side = try hot.open()
        if let typesFile {
            try side.store(types: HexInput.bytes(try InputFile.content(of: FilePath(typesFile), limit: Self.limit)))
        }
        let content = UpdatePayload.Content.types(try side.types())
        let file = try folder.write(content.signedBytes, named: UpdateFile.unsignedName(content))
        struct Result: Encodable {
            let hash: String
            let file: String
        }
        let result = Result(hash: Blake2b.hash256(content.signedBytes).hex, file: file)
        try output.show(result, text: "types, hash \(result.hash)\n  to be signed: \(result.file)")
    }
}
