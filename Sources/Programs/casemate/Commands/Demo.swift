import AirgapLink
import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import MainKey
import QRCode
import Signer
import Substrate
import TextForms

struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "The whole round trip with a public test key.",
        discussion: """
            Makes a vault in a temporary folder with the public development phrase, reads the picture of a Westend \
            batch transaction, shows it, asks, signs, shows the answer, and verifies it once more. Where there is no \
            terminal it says so and signs without asking. Nothing of it is kept; the key is known to everybody.
            """)

    @Flag(help: "Do not ask.")
    var yes = false

    @Option(help: ArgumentHelp("Write the answer's QR code to this PNG file.", valueName: "file"), completion: .file())
    var out: String?

    @OptionGroup var pictures: PictureOptions

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "casemate-demo-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        PictureReader.endWorkersOnSignals { try? FileManager.default.removeItem(at: folder) }
        let style = Style.output

        print(style.bold("1. A vault") + ", thrown away afterwards, with the public development phrase.")
        print(
            "   It may be used on a connected machine (--network-allowed). Your own is strict unless you say otherwise."
        )
        try Vault.create(
            in: folder, protections: [.none], options: MainKey.VaultOptions(), bundle: .shipped(),
            network: NetworkAllowance(allowsNetwork: true))
        let vault = try Vault.open(folder, unlocking: Unlocking { _ in throw SignerError.vaultKey(.locked) })
        try vault.recoverSeed(named: "demo", phrase: Demonstration.phrase())

        let picture = folder.appending(path: "westend-batch.png")
        try Data(Demonstration.picture).write(to: picture)
        print(style.bold("2. A picture") + " of what a hot wallet shows: \(picture.path)")
        let payload = try pictures.payload(fromCodes: picture.path)
        print(style.bold("3. What it asks for") + ", read from \(payload.count) bytes:\n")
        var proposal = try vault.propose(payload)
        let answer = proposal.answer
        let decision = Decision(answer: answer)
        let isSomebodyThere = Terminal() != nil
        decision.show(asking: !yes && isSomebodyThere)
        guard case .sign(let request) = answer.action else {
            throw Failure.demo(AnswerText.refusal(answer))
        }
        if !yes && isSomebodyThere {
            _ = try decision.ask("Sign this with the public test key?")
        } else if !yes {
            print("\nNobody is there to ask: there is no terminal. The public test key signs all the same.")
        }
        let signed = try vault.sign(
            &proposal, confirmations: answer.confirmations.map(\.text),
            comment: "demonstration")
        try show(signed, to: request, style: style, in: folder)
        print("\nNow your own: casemate init, then casemate --help")
    }

    /// Shows the answer, reads its picture back, and verifies what it says.
    private func show(_ signed: SignedAnswer, to request: SignRequest, style: Style, in folder: URL) throws {
        let symbol = try QRSymbol.encode(bytes: Array(signed.text.utf8))
        print("\n" + style.bold("4. The answer") + ", for the wallet's camera:\n")
        QROutput.show(symbol)
        if let out {
            try QROutput.write(signed.codes(), to: out)
            print("Written to \(out).")
        }
        let picture = folder.appending(path: "answer.png")
        try Data(QRPicture.png(symbol)).write(to: picture)
        guard
            let text = try pictures.contents(ofPicture: picture.path).first.map({ String(decoding: $0, as: UTF8.self) }
            ),
            let bytes = Hex.decode(text), let signature = try? MultiSignature(scaleEncoded: bytes),
            case .transaction(let signable, _) = request.content
        else { throw Failure.demo("the answer's picture does not read back") }
        let isValid = SignatureVerifier.isValid(
            signature: signature.signature, message: SigningPayload.message(for: signable),
            publicKey: request.key.signer.publicKey, scheme: request.key.details.scheme)
        guard isValid else { throw Failure.demo("the signature does not verify") }
        print(
            style.good("Verified:")
                + " the picture reads back, and the signature in it is that of \(request.author.base58).")
    }
}
