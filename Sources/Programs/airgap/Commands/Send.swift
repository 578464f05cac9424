import Airgap
import ArgumentParser
import BasicFoundation
import Console
import QRCode
import RaptorQ

struct Send: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Shows a file as QR codes, in the terminal or as a film.",
        discussion: """
            The output is told by its name: term (this terminal), .png (one code), .apng, .gif, .y4m, .html, \
            a folder (ends with /), or - for the content of one code a line, in hex.

            How dense codes are: low 57 modules, medium 89, vault 109, high 137, max 177. Dense codes move more in \
            less time and need a sharp camera. In the terminal the densest that fits the window is taken, unless you \
            say otherwise.
            """)

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
    var file: String

    @Option(name: .long, help: ArgumentHelp("Where to: term, a file, a folder, or -.", valueName: "target"))
    var out = "term"

    @Option(help: ArgumentHelp("How dense codes are: low, medium, vault, high or max.", valueName: "preset"))
    var density: Density?

    @Option(
        help: ArgumentHelp(
            "Bytes of the file in each code: at the most, or with --dialect vault or rfc6330 exactly so many.",
            valueName: "bytes"))
    var chunk: Int?

    @Option(
        help: ArgumentHelp(
            "Numbering of repair codes: universal (every reader), vault or rfc6330.", valueName: "name"))
    var dialect = TransferSender.Dialect.universal

    @Flag(help: "Numbered pieces as polkadot-js shows them, instead of a fountain code.")
    var legacy = false

    @Option(help: ArgumentHelp("Codes a second, 1 to 60.", valueName: "number"))
    var fps = 15

    @Option(
        help: ArgumentHelp(
            "Repair codes behind those of the file: a number, or endless (terminal and -).", valueName: "number"))
    var repair: Repair?

    @OptionGroup var output: OutputOptions

    enum Density: String, ExpressibleByArgument, CaseIterable {
        case low, medium, vault, high, max

        /// Bytes of a fountain symbol, so that a frame fits versions 10, 18, 23, 30 and 40 at the lowest level.
        var symbolSize: Int {
            switch self {
            case .low: 256
            case .medium: 704
            case .vault: TransferSender.usualSymbolSize
            case .high: 1720
            case .max: 2944
            }
        }
    }

    enum Repair: ExpressibleByArgument {
        case count(Int)
        case endless

        init?(argument: String) {
            if argument == "endless" {
                self = .endless
            } else if let count = Int(argument), (0...Int(PayloadID.maximumSymbol)).contains(count) {
                self = .count(count)
            } else {
                return nil
            }
        }
    }

    func validate() throws {
        guard (1...60).contains(fps) else { throw ValidationError("--fps is 1 to 60.") }
        if let chunk, !(1...TransferSender.symbolLimit).contains(chunk) {
            throw ValidationError("--chunk is 1 to \(TransferSender.symbolLimit) bytes.")
        }
        if chunk != nil, density != nil { throw ValidationError("Give --chunk or --density, not both.") }
    }

    func run() throws {
        let target = try SendTarget(out)
        let payload = try FileBytes.read(file)
        guard !payload.isEmpty else { throw Failure.empty(path: file) }
        let sender = try makeSender(payload, for: target)
        let count: Int? =
            switch repair {
            case .endless: nil
            case .count(let repair): sender.isEndless ? sender.sourceCount + repair : sender.sourceCount
            case nil: target.isLive ? nil : sender.usualCount
            }
        if count == nil, !target.takesEndless { throw Failure.endlessFile }
        if output.json, case .terminal = target {
            throw ValidationError("--json goes with a file, not with the terminal.")
        }
        let version = try target.write(sender, count: count, framesPerSecond: fps)
        if case .standardOutput = target { return }
        if case .terminal = target { return }
        let summary = Summary(
            sender, of: payload.count, frames: count ?? 0, version: version, out: out, framesPerSecond: fps)
        try output.show(summary, text: summary.text)
    }

    private func makeSender(_ payload: [UInt8], for target: SendTarget) throws -> TransferSender {
        if legacy { return try TransferSender(payload, framing: .legacy) }
        if let chunk {
            return try TransferSender(
                payload, framing: payload.count > chunk ? .fountain : .automatic, dialect: dialect,
                symbolSize: chunk,
                isSizeFixed: dialect != .universal)
        }
        let size = density?.symbolSize ?? target.symbolSize
        let isOne =
            payload.count <= min(TransferSender.singleLimit, max(size, density == nil ? target.singleLimit : size))
        return try TransferSender(
            payload, framing: isOne ? .automatic : .fountain, dialect: dialect, symbolSize: size)
    }
}

extension TransferSender.Dialect: ExpressibleByArgument {}

extension Send {
    /// What was written.
    struct Summary: Encodable {
        let bytes: Int
        let frames: Int
        let sourceFrames: Int
        let symbolSize: Int?
        let numbering: String?
        /// Whether readers of every numbering read it.
        let universal: Bool
        let qrVersion: Int
        let seconds: Double
        let out: String

        init(
            _ sender: TransferSender, of bytes: Int, frames: Int, version: Int, out: String, framesPerSecond: Int
        ) {
            self.bytes = bytes
            self.frames = frames
            self.out = out
            sourceFrames = sender.sourceCount
            qrVersion = version
            seconds = Double(frames) / Double(framesPerSecond)
            let code = sender.code
            symbolSize = code?.parameters.symbolSize
            numbering = code.map { $0.numbering == .vault ? "vault" : "rfc6330" }
            universal = code.map { Self.isUniversal($0.parameters) } ?? true
        }

        private static func isUniversal(_ parameters: ObjectParameters) -> Bool {
            (0..<parameters.sourceBlockCount).allSatisfy { (try? parameters.block($0).isUnpadded) ?? false }
        }

        var text: String {
            guard frames > 1 else { return "\(out): one code, version \(qrVersion)." }
            let numbering = universal ? "for every reader" : "for readers of the numbering \(self.numbering ?? "")"
            return """
                \(out): \(frames) codes of version \(qrVersion), \(sourceFrames) of which are needed, \(numbering).
                One round takes \((seconds * 10).rounded() / 10) s.
                """
        }
    }
}
