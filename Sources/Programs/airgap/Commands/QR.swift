import AirgapLink
import AnimatedCodes
import ArgumentParser
import BasicFoundation
import Console
import PictureService
import QRCode
import Substrate
import TextForms

struct QR: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr", abstract: "Single QR codes: makes and reads them.",
        subcommands: [QREncode.self, QRDecode.self])
}

struct QREncode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode", abstract: "Makes a QR code of the bytes of a file.")

    @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
    var file = "-"

    @Option(name: [.customShort("o"), .long], help: ArgumentHelp("A .png, or term.", valueName: "target"))
    var out = "term"

    @Option(help: ArgumentHelp("Error correction at the least: L, M, Q or H.", valueName: "level"))
    var level = Level.low

    @Option(help: ArgumentHelp("The version, 1 to 40, instead of the smallest that fits.", valueName: "number"))
    var qrVersion: Int?

    @Option(help: ArgumentHelp("The mask, 0 to 7, instead of the best.", valueName: "number"))
    var mask: Int?

    @Option(help: ArgumentHelp("Pixels of a module's side in a picture.", valueName: "number"))
    var scale = 4

    @OptionGroup var output: OutputOptions

    enum Level: String, ExpressibleByArgument, CaseIterable {
        case low = "L"
        case medium = "M"
        case quartile = "Q"
        case high = "H"

        var level: QRLevel {
            switch self {
            case .low: .low
            case .medium: .medium
            case .quartile: .quartile
            case .high: .high
            }
        }
    }

    func validate() throws {
        if let qrVersion, !(1...40).contains(qrVersion) { throw ValidationError("--qr-version is 1 to 40.") }
        if let mask, !(0...7).contains(mask) { throw ValidationError("--mask is 0 to 7.") }
        guard (1...64).contains(scale) else { throw ValidationError("--scale is 1 to 64.") }
    }

    func run() throws {
        let bytes = try FileBytes.read(file)
        let symbol = try QRSymbol.encode(
            .bytes(bytes), level: level.level, mask: mask, versions: qrVersion.map { $0...$0 } ?? 1...40)
        if out == "term" {
            if !output.json {
                print(QRText.lines(symbol, style: Style.output.enabled ? .coloured : .plain), terminator: "")
                return
            }
        } else {
            try FileBytes.write(QRPicture.png(symbol, scale: scale), to: out)
        }
        let summary = Summary(
            bytes: bytes.count, version: symbol.version.number, level: "\(symbol.level)", mask: symbol.mask,
            modules: symbol.size)
        try output.show(
            summary,
            text:
                "\(out): version \(summary.version), level \(summary.level), mask \(summary.mask), \(summary.modules) modules."
        )
    }

    private struct Summary: Encodable {
        let bytes: Int
        let version: Int
        let level: String
        let mask: Int
        let modules: Int
    }
}

struct QRDecode: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "decode", abstract: "Reads the QR codes of pictures and films: the content of each in hex.",
        discussion:
            "Exit code 2 where no code was found, 5 where a film was not read to its end, as it had used up its budget (--film-minutes)."
    )

    @Argument(help: ArgumentHelp("Pictures, films or folders.", valueName: "source"), completion: .file())
    var sources: [String]

    @Flag(help: "Write the bytes of the first code as they are.")
    var raw = false

    @OptionGroup var film: FilmOptions
    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var input = LinkInput(sources, reader: pictures.reader(film, .search))
        var found: [Code] = []
        var picture = 0
        var spent: SpentBudget?
        var line = ReceiveLine()
        defer { line.end() }
        while let item = try next(&input) {
            switch item {
            case .picture(let seen):
                picture += 1
                if !seen.codes.isEmpty { line.end() }
                for code in seen.codes {
                    if raw { return try FileBytes.write(code.content, to: "-") }
                    found.append(Code(code, in: picture))
                    if !output.json { print(found[found.count - 1].hex) }
                }
            case .unread(let path, let failure):
                picture += 1
                if case .overBudget(let film) = failure { spent = film }
                line.end()
                Failure.tell("\(ScreenText.escape(path)): \(failure)")
            case .content, .nothing: break
            }
            line.show(
                ReceiveLine.Counts(
                    pictures: picture, codes: found.count, refused: 0, parts: nil, spentShare: input.spentShare))
        }
        line.end()
        if output.json { try output.printJSON(found) }
        if let spent { throw Failure.overBudget("\(spent)") }
        guard !found.isEmpty else {
            throw Failure.incomplete("No QR code was found in \(sources.joined(separator: ", ")).")
        }
    }

    private func next(_ input: inout LinkInput) throws -> LinkItem? {
        do { return try input.next() } catch { throw pictures.failure(error) }
    }

    private struct Code: Encodable {
        let picture: Int
        let hex: String
        /// Unknown where only the second reader has read it.
        let version: Int?
        let level: String?
        let mask: Int?
        /// The corners: top left, top right, bottom right, bottom left, each as x and y in pixels.
        let corners: [[Int]]

        init(_ code: SeenCode, in picture: Int) {
            self.picture = picture
            hex = Hex.encode(code.content)
            version = code.symbol?.version
            level = code.symbol.flatMap { QRLevel(rawValue: $0.level) }.map { "\($0)" }
            mask = code.symbol?.mask
            corners = stride(from: 0, to: code.corners.count, by: 2).map { Array(code.corners[$0..<$0 + 2]) }
        }
    }
}
