import Airgap
import ArgumentParser
import Console
import HotSide
import Substrate
import TextForms

struct LoadMetadata: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "load-metadata",
        abstract: "Fetch metadata from nodes, keep them, and write them to be signed.",
        discussion: """
            A node whose genesis is another than the stored one, or that has an older version, or other metadata for \
            the same version, is refused, and nothing is stored. Two versions of a network are kept.

            --packed writes what is quickest to film: without documentation, and compressed. Casemate reads it; other \
            signers read the plain form.

            What is new of all networks, of one that is not in the address book, and of one whose node is compared \
            with another:
              generate-message load-metadata -k -a --pass-errors
              generate-message load-metadata -d -u wss://node.example
              generate-message load-metadata -k -n polkadot --compare https://other.example
            """)

    @OptionGroup var set: SetOptions
    @OptionGroup var hot: HotOptions
    @OptionGroup var folder: FolderOptions
    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp(
            "The form of metadata: 14, which every signer reads, or 15 or 16, from which the metadata hash comes.",
            valueName: "number"))
    var metadataFormat: UInt32 = 14

    @Flag(help: "Write metadata without documentation and compressed, for load-packed-metadata.")
    var packed = false

    @Flag(help: "With -a, go on after a network that fails.")
    var passErrors = false

    func validate() throws {
        guard MetadataFormat(rawValue: metadataFormat) != nil else {
            throw ValidationError("--metadata-format is 14, 15 or 16.")
        }
        guard !passErrors || set.all else { throw ValidationError("--pass-errors goes with -a.") }
    }

    func run() async throws {
        let side = try hot.open()
        var failed: [String] = []
        var progress: ProgressLine?
        var lines: [LoadedLine] = []
        _ = try await side.loadMetadata(
            set.set.flag, try set.reference(hot), format: MetadataFormat(rawValue: metadataFormat) ?? .version14,
            comparing: try set.other(hot), passesErrors: passErrors
        ) { report in
            if progress == nil { progress = ProgressLine(label: "network", of: report.total) }
            progress?.show(report.done)
            if let failure = report.failure {
                failed.append(report.network)
                progress?.end()
                Warning.show("\(report.network): \(failure)")
            }
        } write: {
            lines.append(try LoadedLine($0, packed: packed, in: folder))
        }
        progress?.end()
        try output.show(lines, text: lines.map(\.text).joined(separator: "\n"))
        guard failed.isEmpty else { throw Failure.someFailed(failed) }
    }
}

/// Metadata that were loaded, for people and machines.
struct LoadedLine: Encodable {
    let name: String
    let version: UInt32
    let formatVersion: UInt8
    let hash: String
    let genesis: String
    let isNew: Bool
    let file: String?

    /// Writes the file that waits to be signed, where one is to be written.
    ///
    /// - Parameter packed: whether it holds them without documentation and compressed.
    init(_ loaded: LoadedMetadata, packed: Bool, in folder: FolderOptions) throws {
        name = loaded.name.name
        version = loaded.name.version
        formatVersion = loaded.metadata.formatVersion
        hash = loaded.metadata.blobHash.hex
        genesis = loaded.genesisHash.hex
        isNew = loaded.isNew
        guard loaded.isWritten else {
            file = nil
            return
        }
        let content = packed ? try .packed(loaded.metadata, genesisHash: loaded.genesisHash) : loaded.content
        file = try folder.write(
            content.signedBytes, named: UpdateFile.unsignedName(content, named: loaded.name))
    }

    var text: String {
        "\(ScreenText.escape(name)) \(version), metadata \(formatVersion), hash \(hash)\(isNew ? ", new" : "")"
            + (file.map { "\n  to be signed: \($0)" } ?? "")
    }
}
