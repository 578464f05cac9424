import Airgap
import AnimatedCodes
import ArgumentParser
import Console
import Files
import HotSide
import Substrate
import TextForms

/// What a dapp or wallet has, and who is to sign it.
struct WalletOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "A SignerPayloadJSON, as polkadot-js makes it; - for standard input.", valueName: "file"),
        completion: .file())
    var payload: String

    @Option(
        help: ArgumentHelp(
            "The scheme of the account's key. Default: sr25519, and ethereum for addresses with 0x.",
            valueName: "scheme"))
    var encryption: SchemeOption?

    @Option(help: ArgumentHelp("The account's public key, which an ecdsa address does not tell.", valueName: "hex"))
    var publicKey: String?

    @Flag(help: "Leave out the metadata proof: the vault has metadata of its own.")
    var noProof = false

    @OptionGroup var hot: HotOptions

    func signerPayload() throws -> SignerPayload {
        let limit = SignerPayload.byteLimit
        return try SignerPayload(
            payload == "-"
                ? InputFile(standardInput: ()).content(limit: limit)
                : InputFile.content(of: FilePath(payload), limit: limit))
    }

    func transaction(_ payload: SignerPayload, _ side: HotSide) throws -> WalletTransaction {
        let account = try WalletAccount(
            payload.account, scheme: encryption?.scheme,
            publicKey: publicKey.map { try HexInput.decode($0, of: "The public key") })
        return try side.transaction(payload, by: account, proof: noProof ? .never : .whereChecked)
    }
}

struct Transaction: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transaction",
        abstract: "Make the code by which a vault signs a dapp's transaction.",
        discussion: """
            Takes a SignerPayloadJSON, checks it against the stored metadata of its network (genesis, version, \
            extensions, call), and makes the code. Where the chain checks the metadata hash, the code brings a proof, \
            so that a vault shows the transaction without metadata of its own.

              generate-message transaction payload.json --out request.png
              generate-message transaction - --show < payload.json
            """)

    @OptionGroup var wallet: WalletOptions

    @Option(help: ArgumentHelp("The picture or film.", valueName: "file"), completion: .file())
    var out: String?

    @OptionGroup var codes: FilmOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let transaction = try wallet.transaction(try wallet.signerPayload(), try wallet.hot.open())
        let sender = try TransferSender(transaction.request)
        struct Result: Encodable {
            let network: String
            let hasProof: Bool
            let metadataHash: String?
            let payload: String
            let film: Film?
        }
        let film = try out.map { try codes.write(sender, to: $0) }
        let result = Result(
            network: transaction.network.name, hasProof: transaction.hasProof,
            metadataHash: transaction.metadataHash?.hex, payload: Hex.encode(transaction.request), film: film)
        if codes.show, !output.json { try codes.play(sender) }
        let proof = transaction.hasProof ? "with metadata proof" : "without metadata proof"
        try output.show(
            result,
            text: film.map { "transaction for \(ScreenText.escape(result.network)), \(proof)\n  \($0.text)" }
                ?? (codes.show ? "transaction for \(ScreenText.escape(result.network)), \(proof)" : result.payload))
    }
}

struct Answer: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "answer",
        abstract: "Join a dapp's transaction with the signature that a vault shows.",
        discussion: """
            Give the same payload and options as to 'transaction'. The signature is verified; one that is not the \
            account's, or for something else, is refused and nothing is written. What comes out is the whole \
            transaction as hex, ready for author_submitExtrinsic; --submit hands it to a node and follows it until it \
            is final.

              generate-message answer payload.json --qr answer.png --out signed.hex
              generate-message answer payload.json --hex 01ab… \\
                --submit wss://rpc.polkadot.io
            """)

    @OptionGroup var wallet: WalletOptions

    @Option(
        help: ArgumentHelp("The picture of the vault's answer, or a camera.", valueName: "picture"), completion: .file()
    )
    var qr: String?

    @Option(help: ArgumentHelp("The text of the vault's answer.", valueName: "hex"))
    var hex: String?

    @Option(help: ArgumentHelp("Where the transaction goes, as hex.", valueName: "file"), completion: .file())
    var out: String?

    @Option(help: ArgumentHelp("A node that the transaction is handed to.", valueName: "url"))
    var submit: String?

    @Flag(help: "Hand it over and do not wait for what becomes of it.")
    var noFollow = false

    @OptionGroup var pictures: PictureOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (qr == nil) != (hex == nil) else { throw ValidationError("Give the answer once: --qr or --hex.") }
    }

    func run() async throws {
        let side = try wallet.hot.open()
        let payload = try wallet.signerPayload()
        let transaction = try wallet.transaction(payload, side)
        let answer = try answerText()
        let extrinsic = try transaction.extrinsic(answer: answer)
        let signature = try transaction.signature(answer)
        let text = "0x" + Hex.encode(extrinsic)
        if let out { try PreparedFile.replace(FilePath(out), with: Array(text.utf8)) }
        let hash = "0x" + Blake2b.hash256(extrinsic).hex
        var last: SubmissionStep?
        if let submit {
            let url = try wallet.hot.url(submit)
            // Before it leaves, as nothing may come back.
            Progress.tell("transaction \(hash)" + (out == nil ? ": \(text)" : ""))
            last = try await side.submit(
                extrinsic, to: url, genesis: payload.genesisHash, isFollowed: !noFollow
            ) { step in Progress.tell(step.text) }
        }
        struct Result: Encodable {
            let extrinsic: String
            let signature: String
            let hash: String
            let status: String?
        }
        let result = Result(
            extrinsic: text, signature: "0x" + Hex.encode(signature.scaleEncoded), hash: hash, status: last?.text)
        try output.show(result, text: last.map { ScreenText.escape($0.text) } ?? out ?? text)
    }

    /// A vault shows a signature as digits.
    private func answerText() throws -> String {
        if let hex { return hex.trimmingSpace }
        let bytes = try CodeInput(pictures: pictures).payload(from: qr ?? "")
        guard bytes.count <= 256, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw Failure.notAnAnswer }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// Words on standard error about how far something has come.
private enum Progress {
    static func tell(_ text: String) { StandardError.write(ScreenText.escape(text) + "\n") }
}
