import ArgumentParser
import Console
import SecretMemory
import Signer
import Substrate
import TextForms

/// Where the words of a phrase are shown.
struct PhraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the words to this open descriptor instead of the terminal.",
            discussion: "For example  --phrase-fd 4 4>file .", valueName: "n"),
        transform: OutputDescriptor.init(argument:))
    var phraseFd: OutputDescriptor?

    /// Where the words will be shown; settled before they are at hand.
    func place() throws -> PhraseOutput {
        if let phraseFd { return .descriptor(phraseFd) }
        guard let terminal = Terminal() else {
            throw InteractionError.noTerminalForOutput(what: "A place for the words", option: PhraseOutput.option)
        }
        return .terminal(terminal)
    }
}

/// The terminal, or a descriptor that the caller opened.
enum PhraseOutput {
    case terminal(Terminal)
    case descriptor(OutputDescriptor)

    static let option = "--phrase-fd"
    /// How long words stay on the screen that are there already (`signer-product` section 3.6).
    private static let secondsShown = 60

    /// Whether a person is waited for.
    var waits: Bool { if case .terminal = self { true } else { false } }

    /// Returns when a new phrase was written down by the person, or written in full.
    ///
    /// - Parameter vault: takes them from the screen when it is locked.
    func show(new mnemonic: Mnemonic, for vault: Vault) throws {
        try show(
            mnemonic, of: vault, until: .confirmation,
            heading: "Write these \(mnemonic.wordCount) words down and keep them safe. They are the only backup.")
    }

    /// Shows a phrase that is stored, until the vault is locked at the longest.
    func show(stored mnemonic: Mnemonic, of seed: String, in vault: Vault) throws {
        try show(
            mnemonic, of: vault, until: .seconds(Self.secondsShown),
            heading:
                "The \(mnemonic.wordCount) words of seed \(ScreenText.escape(seed)). Let nobody and no camera see them."
        )
    }

    private func show(
        _ mnemonic: Mnemonic, of vault: Vault, until ending: SecretScreen.Ending, heading: String
    ) throws {
        let phrase: SecretBytes
        do throws(MnemonicError) { phrase = try mnemonic.phrase() } catch { throw SignerError.invalidMnemonic(error) }
        switch self {
        case .terminal(let terminal):
            try SecretScreen(on: terminal, until: vault.lockRequested()).show(
                NumberedWords.table(phrase), heading: heading, until: ending)
        case .descriptor(let descriptor):
            try SecretOutput.deliver(phrase, to: descriptor, option: Self.option)
        }
    }
}
