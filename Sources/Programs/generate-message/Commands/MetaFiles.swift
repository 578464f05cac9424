import ArgumentParser
import Console
import HotSide
import Substrate
import TextForms

struct MetaDefaultFile: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meta-default-file", abstract: "Write stored metadata to a file NAMEVERSION, as hex.")

    @Option(help: "The network's name.")
    var name: String

    @Option(help: "The version.")
    var version: UInt32

    @OptionGroup var hot: HotOptions
    @OptionGroup var export: ExportOptions

    func run() throws {
        let metadata = try hot.open().metadata(of: name, version: version).metadata
        print(try export.write(hex: metadata.blob, named: "\(metadata.specName)\(metadata.specVersion)"))
    }
}

struct MetaAtBlock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "meta-at-block",
        abstract: "Fetch the metadata of a block into a file NAMEVERSION_BLOCK, as hex.",
        discussion: "The database is neither asked nor changed.")

    @Option(help: ArgumentHelp("The node.", valueName: "url"))
    var url: String

    @Option(help: ArgumentHelp("The block.", valueName: "hex"))
    var blockHash: String

    @OptionGroup var hot: HotOptions
    @OptionGroup var export: ExportOptions

    func run() async throws {
        guard let block = Hash256(try HexInput.decode(blockHash, of: "The block hash")) else {
            throw ValidationError("A block hash has 64 digits (--block-hash).")
        }
        let metadata = try await hot.open().metadata(from: try hot.url(url), at: block)
        print(
            try export.write(
                hex: metadata.blob, named: "\(metadata.specName)\(metadata.specVersion)_\(block.hex)"))
    }
}

/// Where finished files go.
struct ExportOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Where finished files go.", valueName: "folder"), completion: .directory)
    var exportDir = "."

    /// - Returns: the file's path.
    func write(hex bytes: [UInt8], named name: String) throws -> String {
        try HotFile.write(Array(Hex.encode(bytes).utf8), named: name, in: exportDir)
    }
}
