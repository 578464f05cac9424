import ArgumentParser
import Console
import RaptorQ
import Substrate
import TextForms

struct RQDecode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Puts a file together from packets, in any order, with losses.",
        discussion: "Exit code 2 where there are too few packets, 3 where they contradict each other.")

    @Argument(help: ArgumentHelp("The packets, or - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(help: ArgumentHelp("The 12 bytes that 'airgap rq encode' printed, in hex.", valueName: "hex"))
    var oti: String

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file())
    var out: String

    @Option(help: ArgumentHelp("Numbering of repair symbols: rfc6330 or vault.", valueName: "name"))
    var numbering = Numbering.rfc6330

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let bytes = Hex.decode(oti) else { throw Failure.usage("\(oti) is not hex.") }
        let packets = try FileBytes.read(file)
        let parameters = try ObjectParameters(serialized: bytes)
        let size = 4 + parameters.symbolSize
        guard packets.count % size == 0 else {
            throw Failure.cutPackets(path: file, size: size, left: packets.count % size)
        }
        let decoder = RaptorQDecoder(parameters: parameters, numbering: numbering.numbering)
        var used = 0
        // The first that is not needed shows whether the others fit each other.
        for start in stride(from: 0, to: packets.count, by: size) {
            if !decoder.isComplete { used += 1 }
            try decoder.receive(
                packets[start + 4..<start + size], id: PayloadID(serialized: packets[start..<start + 4]))
        }
        let object = try decoder.object()
        let isConfirmed = try (0..<parameters.sourceBlockCount).allSatisfy { try decoder.progress(block: $0).isChecked }
        try FileBytes.write(object, to: out)
        guard out != "-" else { return }
        let doubt =
            isConfirmed ? "" : "\nNo packet more than it takes has shown that all are of one file, and none damaged."
        try output.show(
            Summary(bytes: object.count, packetsUsed: used, confirmed: isConfirmed),
            text: "\(object.count) bytes in \(out), from \(used) packets.\(doubt)")
    }

    private struct Summary: Encodable {
        let bytes: Int
        let packetsUsed: Int
        /// Whether packets more than it takes fit the file.
        let confirmed: Bool
    }
}
