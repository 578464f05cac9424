import ArgumentParser
import Foundation
import QRCode
import Signer
import Substrate

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a payload, ask, sign, and answer with a QR code.",
        discussion: """
            Shows everything first. After a yes it asks for the PIN or passphrase, and for the password of a key that has one
            (three attempts). The answer goes to the terminal and with --out into a picture.
            """)

    @OptionGroup var payload: PayloadOptions
    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PinOptions
    @OptionGroup var passwords: PasswordOptions
    @OptionGroup var output: OutputOptions

    @Option(help: ArgumentHelp("Write the answer's QR code to this PNG file.", valueName: "file"), completion: .file())
    var out: String?

    @Option(help: "A comment for the log, at most 1024 characters.")
    var comment = ""

    @Flag(help: "Do not ask: for scripts that have shown the cards themselves.")
    var yes = false

    func run() throws {
        let bytes = try payload.read()
        let opened = try Vault.open(vault.folder)
        let answer = try opened.process(bytes)
        if !output.json { print(AnswerText(answer: answer, style: .output).text + "\n") }
        guard case .sign(let request) = answer.action else {
            throw Failure.notSignable(reason: AnswerText.refusal(answer))
        }
        let signed = try Self.sign(bytes, request, with: opened, asking: self)
        try publish(signed, request)
    }

    /// Binds the payload to the vault's state, asks, and signs; whatever stops it leaves nothing pending.
    private static func sign(
        _ bytes: [UInt8], _ request: SignRequest, with vault: Vault, asking options: Sign
    ) throws -> SignedAnswer {
        var itemID = try vault.setPending(bytes)
        do {
            if !options.yes { try Question.confirm("Sign this?") }
            let credential = try options.pin.pin()
            while true {
                let password =
                    request.needsPassword
                    ? try options.passwords.password(
                        prompt: "Password of \(request.author.seedName)\(request.author.path)")
                    : nil
                do {
                    return try vault.sign(
                        itemID: itemID, credential: credential, password: password, comment: options.comment)
                } catch let error as SignerError {
                    // Only a person can try again; a descriptor has been read.
                    guard case .wrongPassword(let left) = error, left > 0, options.passwords.passwordFd == nil,
                        let next = try vault.pendingItemID()
                    else { throw error }
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                    itemID = next
                }
            }
        } catch {
            try vault.dropPending()
            throw error
        }
    }

    private func publish(_ signed: SignedAnswer, _ request: SignRequest) throws {
        let symbol = try QRSymbol.encode(bytes: Array(signed.text.utf8))
        if let out { try QROutput.write(symbol, to: out) }
        struct Signed: Encodable {
            var answer: String
            var author: String
            var out: String?
        }
        guard !output.json else {
            return try output.printJSON(Signed(answer: signed.text, author: request.author.base58, out: out))
        }
        print(Style.output.good("Signed.") + " Show this code to the wallet:\n")
        QROutput.show(symbol)
        if let out { print("Written to \(out).") }
    }
}
