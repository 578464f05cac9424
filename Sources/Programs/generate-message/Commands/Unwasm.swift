import Airgap
import ArgumentParser
import Console
import Files
import HotSide
import RuntimeReader
import Substrate

struct Unwasm: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unwasm",
        abstract: "Take metadata out of a runtime's file, and write them to be signed.",
        discussion: """
            A runtime is a program from outside, as a chain's releases have it (.wasm, plain or compressed). It is run \
            in runtime-worker, a process that can only compute, with bounds on its steps, memory and time. What comes \
            out is dealt with as if a node had told it: the network has to be in the address book, and its prefix has \
            to agree.

              generate-message unwasm --update-db --packed \\
                --filename polkadot_runtime.compact.compressed.wasm
            """)

    @Option(help: ArgumentHelp("The runtime.", valueName: "file"), completion: .file())
    var filename: String

    @Flag(help: "Keep the metadata in the database, too.")
    var updateDb = false

    @Option(
        help: ArgumentHelp(
            "The form of metadata: 14, 15 or 16. Where nothing is said, the one that the runtime gives unasked.",
            valueName: "number"))
    var metadataFormat: UInt32?

    @Flag(help: "Write metadata without documentation and compressed, for load-packed-metadata.")
    var packed = false

    @Flag(help: "Read the runtime also where this machine does not give all of the sandbox.")
    var allowUnsandboxedRuntime = false

    @OptionGroup var hot: HotOptions
    @OptionGroup var folder: FolderOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard metadataFormat.map({ MetadataFormat(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--metadata-format is 14, 15 or 16.")
        }
    }

    func run() async throws {
        let side = try hot.open()
        var terms = RuntimeReader.Terms()
        terms.allowsMissingLayers = allowUnsandboxedRuntime
        let file = try InputFile.content(of: FilePath(filename), limit: RuntimeReader.byteLimit)
        let runtime = try await RuntimeReader(terms).read(file, metadataVersion: metadataFormat)
        let loaded = try side.take(fromRuntime: runtime.metadata, stores: updateDb)
        let line = try LoadedLine(loaded, packed: packed, in: folder)
        try output.show(line, text: line.text)
    }
}
