import Airgap
import ArgumentParser
import Console
import Files
import HotSide
import TextForms

struct EncodeToQR: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "encode-to-qr",
        abstract: "Show bytes as codes: moving ones in a film, or in the terminal.")

    @Option(help: ArgumentHelp("The file.", valueName: "file"), completion: .file())
    var path: String?

    @Option(help: ArgumentHelp("The bytes as hex.", valueName: "hex"))
    var hex: String?

    @Option(help: ArgumentHelp("Bytes in each code.", valueName: "bytes"))
    var chunkSize = 128

    @Option(help: ArgumentHelp("The film: .apng, .gif, .html or .y4m.", valueName: "file"), completion: .file())
    var dstFile: String?

    @OptionGroup var codes: FilmOptions
    @OptionGroup var output: OutputOptions

    private static let limit = 64 << 20

    func validate() throws {
        guard (path == nil) != (hex == nil) else { throw ValidationError("Give bytes once: --path or --hex.") }
        guard dstFile != nil || codes.show else { throw ValidationError("Say where codes go: --dst-file or --show.") }
    }

    func run() throws {
        let bytes =
            try path.map { try InputFile.content(of: FilePath($0), limit: Self.limit) }
            ?? HexInput.decode(hex ?? "", of: "The content")
        let sender = try TransferSender(
            bytes, framing: .fountain, dialect: .vault, symbolSize: chunkSize, isSizeFixed: true)
        if let dstFile {
            let film = try codes.write(sender, to: dstFile)
            try output.show(film, text: film.text)
        }
        if codes.show { try codes.play(sender) }
    }
}

struct Derivations: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "derivations",
        abstract: "Have a vault make keys at paths: a text with one path a line, as a code.",
        discussion: """
            Lines that no vault would take, as those with a password, are left out and named. The vault asks for the \
            seed, and makes what it has not ('casemate key import').

              generate-message derivations --title westend-sr25519 \\
                --payload paths.txt --out paths.png
            """)

    @Option(help: ArgumentHelp("The network, by its title in the address book.", valueName: "title"))
    var title: String

    @Option(help: ArgumentHelp("The text.", valueName: "file"), completion: .file())
    var payload: String

    @Option(help: ArgumentHelp("The picture or film.", valueName: "file"), completion: .file())
    var out: String?

    @OptionGroup var codes: FilmOptions
    @OptionGroup var hot: HotOptions
    @OptionGroup var output: OutputOptions

    private static let limit = 1 << 20

    func run() throws {
        let text = try InputFile.content(of: FilePath(payload), limit: Self.limit)
        let paths = PathList(String(decoding: text, as: UTF8.self))
        for line in paths.dropped { Warning.show("line \(line.line) is left out: \(line.reason)") }
        let bytes = try hot.open().derivations(paths, titled: title)
        let sender = try TransferSender(bytes)
        struct Result: Encodable {
            let paths: [String]
            let droppedLines: [Int]
            let payload: String
            let film: Film?
        }
        let film = try out.map { try codes.write(sender, to: $0) }
        let result = Result(
            paths: paths.paths, droppedLines: paths.dropped.map(\.line), payload: Hex.encode(bytes), film: film)
        if codes.show, !output.json { try codes.play(sender) }
        try output.show(result, text: film?.text ?? (codes.show ? "\(paths.paths.count) paths" : result.payload))
    }
}
