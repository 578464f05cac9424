import ArgumentParser
import Console
import RaptorQ
import Substrate
import TextForms

struct RQInformation: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "oti", abstract: "How an object is cut: the 12 bytes that both sides need, and what they mean.")

    @Argument(help: ArgumentHelp("The 12 bytes in hex; or give --size.", valueName: "hex"))
    var hex: String?

    @Option(help: ArgumentHelp("Bytes of the object.", valueName: "bytes"))
    var size: Int?

    @OptionGroup var code: CodeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (hex == nil) != (size == nil) else { throw ValidationError("Give the 12 bytes in hex, or --size.") }
    }

    func run() throws {
        let parameters: ObjectParameters
        if let hex {
            guard let bytes = Hex.decode(hex) else { throw Failure.usage("\(hex) is not hex.") }
            parameters = try ObjectParameters(serialized: bytes)
        } else {
            parameters = try code.parameters(objectSize: size ?? 0)
        }
        let summary = try Summary(parameters)
        try output.show(summary, text: summary.text)
    }

    private struct Summary: Encodable {
        let oti: String
        let objectSize: Int
        let symbolSize: Int
        let sourceBlocks: Int
        let subBlocks: Int
        let alignment: Int
        let symbols: Int
        let largestBlock: Int
        let extended: Int

        init(_ parameters: ObjectParameters) throws {
            oti = Hex.encode(parameters.serialized)
            objectSize = parameters.objectSize
            symbolSize = parameters.symbolSize
            sourceBlocks = parameters.sourceBlockCount
            subBlocks = parameters.subBlockCount
            alignment = parameters.alignment
            symbols = parameters.symbolCount
            let first = try parameters.block(0)
            largestBlock = first.sourceSymbolCount
            extended = first.extendedSymbolCount
        }

        var text: String {
            """
            OTI            \(oti)
            object         \(objectSize) bytes (F)
            symbol         \(symbolSize) bytes (T), aligned to \(alignment) (Al)
            symbols        \(symbols), in \(sourceBlocks) blocks (Z) of \(subBlocks) sub-blocks (N)
            largest block  \(largestBlock) symbols (K), computed as \(extended) (K')
            """
        }
    }
}
