import ArgumentParser
import Console
import Files
import HotSide
import Substrate
import TextForms

struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what the database holds.",
        subcommands: [ShowMetadata.self, ShowNetworks.self, ShowSpecs.self, CheckFile.self, BlockHistoryCommand.self])

    struct ShowMetadata: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "metadata", abstract: "List the metadata with their hashes.")

        @OptionGroup var hot: HotOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let side = try hot.open()
            struct Line: Encodable {
                let name: String
                let version: UInt32
                let formatVersion: UInt8
                let bytes: Int
                let hash: String
            }
            let metadata = try side.metadata()
            let lines = metadata.map {
                Line(
                    name: $0.key.name, version: $0.key.version, formatVersion: $0.metadata.formatVersion,
                    bytes: $0.metadata.blob.count, hash: $0.metadata.blobHash.hex)
            }
            try output.show(
                lines,
                text: metadata.isEmpty
                    ? "There are no metadata yet. Fetch some with: generate-message load-metadata -k -a"
                    : metadata.map { ScreenText.escape($0.line) }.joined(separator: "\n"))
        }
    }

    struct ShowNetworks: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "networks", abstract: "List the address book.")

        @OptionGroup var hot: HotOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let side = try hot.open()
            struct Line: Encodable {
                let title: String
                let url: String
                let encryption: String
                let vaultTitle: String
                let name: String
                let genesis: String
                let isDefault: Bool
            }
            let lines = try side.addressBook().map { node in
                Line(
                    title: node.title, url: node.entry.url, encryption: node.entry.scheme.name,
                    vaultTitle: try side.specs(titled: node.title).title, name: node.entry.name,
                    genesis: node.entry.genesisHash.hex, isDefault: node.entry.isDefault)
            }
            let text = try side.addressBookLines().map { ScreenText.escape($0) }.joined(separator: "\n")
            try output.show(lines, text: text)
        }
    }

    struct ShowSpecs: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "specs", abstract: "Show the record of one network.")

        @Argument(help: "The title in the address book.")
        var title: String

        @OptionGroup var hot: HotOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let specs = SpecsJSON(try hot.open().specs(titled: title))
            try output.show(specs, text: specs.text)
        }
    }

    struct CheckFile: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-file",
            abstract: "Compare a file of metadata with those of the same version that are stored.",
            discussion: "The file holds metadata as bytes or as hex. Ends with 2 where the stored ones are others.")

        @Argument(help: "The file.", completion: .file())
        var path: String

        @OptionGroup var hot: HotOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            let metadata = try MetadataInput.read(path)
            let stored = try hot.open().metadata().first {
                $0.key.name == metadata.specName && $0.key.version == metadata.specVersion
            }
            struct Result: Encodable {
                let name: String
                let version: UInt32
                let hash: String
                let stored: String?
                let isSame: Bool
            }
            let result = Result(
                name: metadata.specName, version: metadata.specVersion, hash: metadata.blobHash.hex,
                stored: stored?.metadata.blobHash.hex, isSame: stored?.metadata.blob == metadata.blob)
            let verdict =
                switch result.stored {
                case nil: "not in the database"
                case _ where result.isSame: "in the database, the same"
                case let hash?: "in the database with another hash: \(hash)"
                }
            try output.show(
                result,
                text: "\(ScreenText.escape(result.name)) \(result.version), metadata hash \(result.hash)\n\(verdict)")
            if result.stored != nil, !result.isSame { throw ExitCode(ExitStatus.refused.rawValue) }
        }
    }

    struct BlockHistoryCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block-history", abstract: "List the blocks at which metadata were seen, the last one last.")

        @OptionGroup var hot: HotOptions
        @OptionGroup var output: OutputOptions

        func run() throws {
            struct Line: Encodable {
                let name: String
                let version: UInt32
                let blocks: [String]
            }
            let lines = try hot.open().blockHistory().map { key, history in
                Line(name: key.name, version: key.version, blocks: history.blocks.map { "0x" + $0.hex })
            }
            let text = lines.flatMap { line in
                line.blocks.map { "\(ScreenText.escape(line.name)) \(line.version), fetched at block hash \($0)" }
            }
            try output.show(lines, text: text.isEmpty ? "Nothing was fetched yet." : text.joined(separator: "\n"))
        }
    }
}

/// Metadata in a file, as bytes or as hex.
enum MetadataInput {
    static func read(_ path: String) throws -> ChainMetadata {
        let content = try InputFile.content(of: FilePath(path), limit: 2 * MetadataLimits.blobByteCount + 4)
        do { return try ChainMetadata(HexInput.bytes(content)) } catch {
            throw HotSideError.metadataBroken(error)
        }
    }
}

/// Bytes that may be written as hex.
enum HexInput {
    /// What hex stands for; bytes that are no hex are taken as they are.
    static func bytes(_ content: [UInt8]) -> [UInt8] {
        let bytes = Hex.decode(String(decoding: content, as: UTF8.self).trimmingSpace) ?? []
        return bytes.isEmpty ? content : bytes
    }

    static func decode(_ text: String, of what: String) throws -> [UInt8] {
        guard let bytes = Hex.decode(text.trimmingSpace) else { throw Failure.notHex(what) }
        return bytes
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmingSpace: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
