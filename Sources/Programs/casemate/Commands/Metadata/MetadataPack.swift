import Airgap
import AnimatedCodes
import ArgumentParser
import Console
import Files
import QRFilms
import Substrate
import TextForms
import Zstandard

extension Metadata {
    struct Pack: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pack",
            abstract: "Make an update of metadata that is quick to film: lean and compressed.",
            discussion: """
                Drops documentation and runtime APIs, which no transaction is read by, compresses what is left \
                (Zstandard), and writes an unsigned update: as a film by the ending of the name (.png, .gif, .html, \
                .y4m), else as bytes. The metadata hash that the chain checks stays what it was; 'casemate update' \
                shows it, to be compared. To sign the update, give the bytes to 'network sign --file'.

                  casemate metadata pack polkadot.scale --genesis 91b1… --out update.bin
                  casemate network sign --file update.bin --with 5Grw… --update signed.bin
                """)

        @OptionGroup var file: MetadataFile

        @Option(help: ArgumentHelp("The genesis hash of the network, in hex.", valueName: "hex"))
        var genesis: String

        @Option(help: ArgumentHelp("Where the update goes.", valueName: "file"), completion: .file())
        var out: String

        @OptionGroup var output: OutputOptions

        /// Bytes of a code that are counted by.
        private static let frameByteCount = 1_072

        func run() throws {
            guard let genesis = Hex.decode(genesis).flatMap({ Hash256($0) }) else {
                throw ValidationError("A genesis hash is 64 hex digits (--genesis).")
            }
            let blob = try file.blob()
            let lean = try file.named { try LeanMetadata.transform(blob, keepsRuntimeAPIs: false) }
            let metadata = try file.named { try RuntimeMetadata(lean) }
            let frame = try ZstdFrame.compress(lean)
            guard let packed = PackedMetadata(byteCount: lean.count, frame: frame) else {
                throw Failure.metadataFile(path: file.input, reason: "it is too large to be packed")
            }
            let payload = UpdatePayload.payload(.packedMetadata(packed, genesisHash: genesis))
            if FilmOutput.writer(for: out) == nil {
                try PreparedFile.replace(FilePath(out), with: payload)
            } else {
                try QROutput.write(try TransferSender(payload), to: out)
            }
            let result = Result(
                name: metadata.specName, version: metadata.specVersion, before: blob.count, lean: lean.count,
                payload: payload.count,
                frames: (payload.count + Self.frameByteCount - 1) / Self.frameByteCount, hash: metadata.blobHash.hex)
            try output.show(result, text: result.text(out))
        }

        private struct Result: Encodable {
            var name: String
            var version: UInt32
            var before: Int
            var lean: Int
            var payload: Int
            /// Codes of 1,072 bytes that it takes.
            var frames: Int
            var hash: String

            func text(_ out: String) -> String {
                "\(ScreenText.escape(name))\(version): \(before) bytes, lean \(lean), packed \(payload): \(frames) codes of "
                    + "1072 bytes. Written to \(ScreenText.escape(out)), signed by nobody."
            }
        }
    }
}
