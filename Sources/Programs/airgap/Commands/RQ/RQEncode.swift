import ArgumentParser
import BasicFoundation
import Console
import RaptorQ
import Substrate
import TextForms

struct RQEncode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode",
        abstract: "Turns a file into packets: 4 bytes that say which symbol it is, then the symbol.",
        discussion:
            "Prints the 12 bytes that 'airgap rq decode' needs. Packets follow each other without anything between them."
    )

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(
        name: [.customShort("o"), .long], help: ArgumentHelp("The packets.", valueName: "file"), completion: .file())
    var out: String

    @Option(help: ArgumentHelp("Repair symbols for each block.", valueName: "number"))
    var repair = 0

    @Flag(help: "Leave out the symbols that are parts of the file.")
    var repairOnly = false

    @Option(help: ArgumentHelp("Numbering of repair symbols: rfc6330 or vault.", valueName: "name"))
    var numbering = Numbering.rfc6330

    @OptionGroup var code: CodeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard repair >= 0 else { throw ValidationError("--repair is 0 or more.") }
        if repairOnly, repair == 0 { throw ValidationError("--repair-only needs --repair.") }
        if output.json, out == "-" { throw ValidationError("--json and -o - would mix on standard output.") }
    }

    func run() throws {
        let bytes = try FileBytes.read(file)
        guard !bytes.isEmpty else { throw Failure.empty(path: file) }
        let parameters = try code.parameters(objectSize: bytes.count)
        var packets: [UInt8] = []
        var count = 0
        let encoder = try RaptorQEncoder(bytes, parameters: parameters, numbering: numbering.numbering)
        for block in 0..<parameters.sourceBlockCount {
            let sources = repairOnly ? 0 : try parameters.block(block).sourceSymbolCount
            for ids in [0..<UInt32(sources), try encoder.repairIDs(block: block, count: repair)] {
                let symbols = try encoder.symbols(block: block, ids: ids)
                for (index, id) in ids.enumerated() {
                    packets += try PayloadID(block: UInt8(block), symbol: id).serialized
                    packets += symbols[index * parameters.symbolSize..<(index + 1) * parameters.symbolSize]
                }
                count += ids.count
            }
        }
        try FileBytes.write(packets, to: out)
        let summary = Summary(oti: Hex.encode(parameters.serialized), packets: count, symbolSize: parameters.symbolSize)
        if out == "-" {
            StandardError.write((summary.oti + "\n"))
        } else {
            try output.show(
                summary, text: "\(count) packets of \(4 + summary.symbolSize) bytes in \(out)\nOTI \(summary.oti)")
        }
    }

    private struct Summary: Encodable {
        let oti: String
        let packets: Int
        let symbolSize: Int
    }
}
