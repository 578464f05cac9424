import ArgumentParser
import Console
import Files
import HotSide

struct MakeColdRelease: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make-cold-release",
        abstract: "Write the metadata that a release of the signer ships with: the newest of each network.",
        discussion:
            "Files NAME.metadata without documentation, in a folder that is made. A file of newer metadata is not replaced."
    )

    @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
    var folder = "cold_release"

    @OptionGroup var hot: HotOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try ReleaseLine.show(try hot.open().release(to: FilePath(folder), makesMissing: true), output)
    }
}

struct TransferMeta: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transfer-meta",
        abstract: "Copy newer metadata into the files of a release, of networks that it knows.",
        discussion: """
            A vault takes nothing this way: it gets metadata by film. This is for who builds the signer, whose shipped \
            files are in Sources/Bridges/CShippedFiles/Files.
            """)

    @Option(help: ArgumentHelp("The folder of the release's files.", valueName: "folder"), completion: .directory)
    var coldRelease: String

    @OptionGroup var hot: HotOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try ReleaseLine.show(try hot.open().release(to: FilePath(coldRelease), makesMissing: false), output)
    }
}

private struct ReleaseLine: Encodable {
    let name: String
    let version: UInt32
    let file: String
    let bytes: Int
    let isWritten: Bool

    static func show(_ released: [ReleasedMetadata], _ output: OutputOptions) throws {
        let lines = released.map {
            ReleaseLine(
                name: $0.name.name, version: $0.name.version, file: $0.file, bytes: $0.byteCount,
                isWritten: $0.isWritten)
        }
        let text = Table.text(
            ["file", "version", "bytes", ""],
            lines.map { [$0.file, "\($0.version)", "\($0.bytes)", $0.isWritten ? "written" : "as it was"] })
        try output.show(lines, text: text)
    }
}
