import Airgap
import AnimatedCodes
import ArgumentParser
import Console
import Files
import HotSide
import Substrate
import TextForms

struct Make: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Join what an update carries with whose word it goes out with, as a file and as codes.",
        discussion: """
            The word is nobody's, or that of a vault which has signed the same file ('casemate network sign --file'): \
            scanned from its screen (--sufficient-qr), or given as hex or a file. A signature that is not for this \
            content and key is refused, and nothing is written.

              generate-message make --msg load-metadata \\
                --payload sign_me_load_metadata_polkadotV1002000
              generate-message make --msg load-packed-metadata --payload FILE \\
                --sufficient-qr /dev/video0 --film html
            """)

    @OptionGroup var making: MakeOptions

    func run() throws { try making.run() }
}

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "The same as make, for an update that somebody has signed.")

    @OptionGroup var making: MakeOptions

    func run() throws { try making.run() }
}

/// What updates are made of, and in which form they go out.
struct MakeOptions: ParsableArguments {
    enum Goal: String, ExpressibleByArgument, CaseIterable { case qr, text, both }

    enum FilmKind: String, ExpressibleByArgument, CaseIterable { case apng, gif, html, y4m }

    @Option(
        help: ArgumentHelp(
            "What it is: load-types, load-metadata, load-packed-metadata or add-specs.", valueName: "kind"))
    var msg: UpdateKind

    @Option(help: ArgumentHelp("The file that waits to be signed.", valueName: "file"), completion: .file())
    var payload: String

    @OptionGroup var word: WordOptions

    @Option(help: "What is written: qr, text or both.")
    var goal = Goal.both

    @Option(help: ArgumentHelp("The path of what is written, without its ending.", valueName: "path"))
    var name: String?

    @Option(help: "What several codes become: apng, gif, html or y4m.")
    var film = FilmKind.apng

    @OptionGroup var codes: FilmOptions
    @OptionGroup var export: ExportOptions
    @OptionGroup var output: OutputOptions

    private static let limit = 16 << 20

    func validate() throws {
        if output.json, codes.show { throw ValidationError("--json goes with files, not with the terminal.") }
    }

    func run() throws {
        let content = try UpdateFile.content(
            msg, try InputFile.content(of: FilePath(payload), limit: Self.limit))
        let crypto = try word.word()
        let update = try crypto.payload(content.content)
        let base = UpdateFile.finishedName(content.content, named: content.name, crypto: crypto)
        guard name != nil || HotSide.isPlain(base) else { throw Failure.fileName(base) }
        let path = name ?? FilePath(export.exportDir).appending(base).string
        var result = Result(bytes: update.count, text: nil, film: nil)
        if goal != .qr {
            try PreparedFile.replace(FilePath(path + ".txt"), with: Array(Hex.encode(update).utf8))
            result.text = path + ".txt"
        }
        let sender = try TransferSender(update)
        if goal != .text {
            result.film = try codes.write(sender, to: path + "." + (sender.isEndless ? film.rawValue : "png"))
        }
        if codes.show { try codes.play(sender) }
        try output.show(result, text: result.lines)
    }

    private struct Result: Encodable {
        let bytes: Int
        var text: String?
        var film: Film?

        var lines: String {
            ["update of \(bytes) bytes", text, film?.text].compactMap { $0 }.joined(separator: "\n  ")
        }
    }
}

extension UpdateKind: ExpressibleByArgument {}

/// Whose word an update goes out with, on the command line.
struct WordOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The picture or film of a vault's signature, or a camera.", valueName: "picture"),
        completion: .file())
    var sufficientQr: String?

    @Option(help: ArgumentHelp("A vault's signature with its key, as hex.", valueName: "hex"))
    var sufficientHex: String?

    @Option(help: ArgumentHelp("The same in a file, as bytes or hex.", valueName: "file"), completion: .file())
    var sufficientFile: String?

    @Option(
        help: ArgumentHelp("The test key //Alice, which everybody has: ed25519, sr25519 or ecdsa.", valueName: "scheme")
    )
    var verifierAlice: SchemeOption?

    @Option(help: ArgumentHelp("A public key, as hex.", valueName: "hex"))
    var verifierHex: String?

    @Option(help: ArgumentHelp("A public key in a file, as bytes or hex.", valueName: "file"), completion: .file())
    var verifierFile: String?

    @Option(help: ArgumentHelp("The key's signature, as hex.", valueName: "hex"))
    var signatureHex: String?

    @Option(
        help: ArgumentHelp("The key's signature in a file, as bytes or hex.", valueName: "file"), completion: .file())
    var signatureFile: String?

    @Option(help: ArgumentHelp("The scheme of the public key: ed25519, sr25519 or ecdsa.", valueName: "scheme"))
    var crypto: SchemeOption?

    @OptionGroup var pictures: PictureOptions

    private static let limit = 1 << 16

    func validate() throws {
        let sufficient = [sufficientQr, sufficientHex, sufficientFile].compactMap { $0 }.count
        let verifier = [verifierHex, verifierFile].compactMap { $0 }.count
        let signature = [signatureHex, signatureFile].compactMap { $0 }.count
        let apart = verifier + signature + (crypto == nil ? 0 : 1)
        guard apart == 0 || (verifier, signature, apart) == (1, 1, 3) else {
            throw ValidationError(
                "A key and its signature take --verifier-hex or -file, --signature-hex or -file, and --crypto.")
        }
        guard sufficient + (apart == 0 ? 0 : 1) + (verifierAlice == nil ? 0 : 1) <= 1 else {
            throw ValidationError(
                "Give one word: --sufficient-…, --verifier-alice, or --verifier-… with --signature-….")
        }
    }

    func word() throws -> UpdateCrypto {
        if let verifierAlice { return .alice(verifierAlice.scheme) }
        if let sufficientQr {
            // That of an ed25519 key begins as a numbered frame does.
            let shown = try CodeInput(pictures: pictures).payload(from: sufficientQr) {
                (try? SufficientCrypto(scaleEncoded: $0)) != nil
            }
            return try UpdateCrypto(sufficient: shown)
        }
        if let bytes = try Self.bytes(hex: sufficientHex, file: sufficientFile, of: "The signature") {
            return try UpdateCrypto(sufficient: bytes)
        }
        guard let scheme = crypto, let key = try Self.bytes(hex: verifierHex, file: verifierFile, of: "The public key"),
            let signature = try Self.bytes(hex: signatureHex, file: signatureFile, of: "The signature")
        else { return .none }
        return try UpdateCrypto(scheme: scheme.scheme, verifier: key, signature: signature)
    }

    private static func bytes(hex: String?, file: String?, of what: String) throws -> [UInt8]? {
        if let hex { return try HexInput.decode(hex, of: what) }
        return try file.map { HexInput.bytes(try InputFile.content(of: FilePath($0), limit: limit)) }
    }
}
