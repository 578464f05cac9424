import Airgap
import ArgumentParser
import BasicFoundation
import Console
import Files
import InstalledSigner
import QRCode
import SecretMemory
import Signer
import Substrate
import TextForms

struct Sign: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Show a payload, ask, sign, and answer with a QR code.",
        discussion: """
            Shows everything first. Each danger has to be confirmed by typing a text of its own: the end of an \
            address, an amount or the method's name. The PIN is asked first, because your addresses are sealed, and \
            again if the vault locked while it waited; then the password of a key that has one (three attempts). The \
            answer goes to the terminal and with --out into a picture; an answer of several codes goes into several \
            pictures. Several transactions at once are signed together or not at all. A wallet's request for addresses \
            is answered in the same way.
            """)

    @OptionGroup var payload: PayloadOptions
    @OptionGroup var passwords: PasswordOptions

    @Option(help: ArgumentHelp("Write the answer's QR code to this PNG file.", valueName: "file"), completion: .file())
    var out: String?

    @Option(help: "A comment for the log, at most 1024 characters.")
    var comment = ""

    @Flag(help: "Do not ask: for scripts that have shown the cards themselves.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "What a danger asks to be typed ('confirm' in 'inspect --json'), for scripts; once for each danger.",
            valueName: "text"))
    var confirm: [String] = []

    @OptionGroup var output: OutputOptions
    @OptionGroup var vault: VaultFolderOptions
    @OptionGroup var unlock: UnlockOptions

    func run() throws {
        let bytes = try payload.read()
        let opened = try unlock.open(vault, guarding: .signing)
        // Before anything is shown: where the validator does not vouch, what is on the screen may not be true.
        let verdict = try opened.key?.verdict()
        let proposal = try opened.propose(bytes)
        let answer = proposal.answer
        let decision = Decision(answer: answer, remark: Self.remark(verdict), printsJSON: output.json)
        decision.show(asking: !yes)
        var place: PreparedFile?
        if case .shareDerivations = answer.action {
            let shared = try opened.orDropPending {
                place = try answerPlace()
                if !yes { _ = try opened.whileWaiting { try decision.ask("Hand these addresses to the wallet?") } }
                try NetworkGate.check(.dynamicDerivation, in: opened)
                return try opened.shareDerivations(proposal)
            }
            return try publish(
                .phone(shared.payload), text: Hex.encode(shared.payload), for: answer, verdict: verdict, into: place)
        }
        guard !answer.requests.isEmpty else {
            try opened.dropPending()
            throw Failure.notSignable(reason: AnswerText.refusal(answer))
        }
        let signed = try opened.orDropPending {
            place = try answerPlace()
            if place == nil, !output.json { try QROutput.requireRoom(for: SignedAnswer(likeThatOf: answer).codes()) }
            return try sign(proposal, decision, with: opened)
        }
        try publish(signed.codes(), text: signed.text, for: answer, verdict: verdict, into: place)
    }

    /// Where the answer's picture goes, opened before anything is signed: what cannot be handed over is not signed and
    /// logged.
    private func answerPlace() throws -> PreparedFile? { try out.map { path in try PreparedFile(for: FilePath(path)) } }

    private static func remark(_ verdict: Verdict.Account?) -> Paragraph {
        Paragraph(
            verdict.map { [.words($0.line, .dim)] }
                ?? [.words(ValidatorState.none, .warning), .words(" " + ValidatorState.meaning, .dim)])
    }

    /// Asks, and signs what was shown.
    private func sign(_ shown: Proposal, _ decision: Decision, with vault: Vault) throws -> SignedAnswer {
        var proposal = shown
        let answer = shown.answer
        let confirmations = try vault.whileWaiting {
            try yes ? decision.confirmed(by: confirm) : decision.ask(question(answer), given: confirm)
        }
        while true {
            do {
                let passwords = try vault.whileWaiting { try keyPasswords(answer) }
                try NetworkGate.check(.signing, in: vault)
                return try vault.sign(
                    &proposal, passwords: passwords, confirmations: confirmations, comment: comment)
            } catch let error as SignerError {
                // Only a person can try again; a descriptor has been read.
                guard case .wrongPassword(let left) = error, left > 0, passwords.passwordFd == nil else { throw error }
                StandardError.write(ScreenText.escape("\(error)") + "\n")
            }
        }
    }

    private func question(_ answer: Answer) -> String {
        answer.items.isEmpty ? "Sign this?" : "Sign all \(answer.items.count) transactions?"
    }

    /// The password of each key that has one, asked for once.
    private func keyPasswords(_ answer: Answer) throws -> [MultiSigner: SecretBytes] {
        var found: [MultiSigner: SecretBytes] = [:]
        for request in answer.requests where request.needsPassword && found[request.key.signer] == nil {
            found[request.key.signer] = try passwords.password(
                prompt: "Password of \(ForeignName.shown(request.author.seedName + request.author.path, as: .title))")
        }
        return found
    }

    private func publish(
        _ codes: TransferSender, text: String, for answer: Answer, verdict: Verdict.Account?, into place: PreparedFile?
    ) throws {
        struct Published: Encodable {
            var answer: String
            /// Addresses, in the order of the signatures.
            var authors: [String]
            var out: String?
            /// The key of the validator that vouched for this program.
            var vouchedBy: String?
            /// Whether it looked by itself, and not through what this program sent it.
            var vouchedFirsthand: Bool?
        }
        guard !output.json else {
            // What is signed and logged is told, also where its picture finds no room.
            let written = Result { if let place { try QROutput.write(codes, to: place) } }
            try output.printJSON(
                Published(
                    answer: text, authors: answer.requests.map(\.author.base58), out: written.isSuccess ? out : nil,
                    vouchedBy: verdict?.validatorKeyID, vouchedFirsthand: verdict?.isFirsthand))
            return try written.get()
        }
        print(Style.output.good(answer.requests.isEmpty ? "Stored." : "Signed.") + " Show this to the wallet:\n")
        try QROutput.handOver(codes, text: text, into: place)
        if let out { print("Written to \(out).") }
    }
}

extension SignedAnswer {
    /// One of the length that the answer to what is asked will have, which signs nothing.
    fileprivate init(likeThatOf answer: Answer) {
        let signatures = answer.requests.compactMap { request in
            let scheme = request.key.details.scheme
            return MultiSignature(scheme: scheme, signature: [UInt8](repeating: 0, count: scheme.signatureByteCount))
        }
        let isMessage = answer.requests.contains { if case .message = $0.content { true } else { false } }
        self.init(signatures: signatures, isMessage: isMessage)
    }
}
