import ArgumentParser
import Console
import SecretMemory
import Signer
import SplitBackup

/// Where a new passphrase is shown, and typed back.
struct NewPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the passphrase to this open descriptor instead of the terminal.",
            discussion: "For example  --passphrase-fd 4 4>file .", valueName: "n"),
        transform: OutputDescriptor.init(argument:))
    var passphraseFd: OutputDescriptor?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase back from this open descriptor instead of the terminal.",
            discussion: "It is read when the passphrase was written.", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var repeatFd: InputDescriptor?

    /// Where it will be shown; settled before there is one.
    func place() throws -> NewPassphrasePlace {
        let terminal = Terminal()
        guard terminal != nil || passphraseFd != nil else {
            throw InteractionError.noTerminalForOutput(
                what: "A place for the passphrase", option: NewPassphrasePlace.option)
        }
        guard terminal != nil || repeatFd != nil else {
            throw InteractionError.noTerminalForSecret(
                prompt: NewPassphrasePlace.prompt, option: NewPassphrasePlace.repeatOption)
        }
        return NewPassphrasePlace(terminal: terminal, output: passphraseFd, input: repeatFd)
    }
}

/// Shows a passphrase once and has it typed back.
struct NewPassphrasePlace {
    fileprivate static let option = "--passphrase-fd"
    fileprivate static let repeatOption = "--repeat-fd"
    fileprivate static let prompt = "The passphrase, typed back"
    /// How often a person may mistype before the split is given up.
    private static let attempts = 3

    fileprivate let terminal: Terminal?
    fileprivate let output: OutputDescriptor?
    fileprivate let input: InputDescriptor?

    /// - Parameter accept: takes what was typed; refuses by `ShareError.confirmationMismatch`.
    func confirm<R>(
        _ passphrase: SecretBytes, waiting vault: Vault, accept: (SecretBytes) throws -> R
    ) throws -> R {
        if let output {
            try SecretOutput.deliver(passphrase, to: output, option: Self.option)
        } else if let terminal {
            try vault.whileWaiting {
                try SecretScreen(on: terminal, until: vault.lockRequested()).show(
                    passphrase,
                    heading:
                        "Write this passphrase down, apart from the shares. It is shown only now, and without it the shares are worth nothing.",
                    until: .confirmation)
            }
        }
        var left = Self.attempts
        while true {
            let typed = try vault.whileWaiting {
                try SecretInput.read(descriptor: input, prompt: Self.prompt, option: Self.repeatOption)
            }
            do { return try accept(typed) } catch ShareError.confirmationMismatch where input == nil && left > 1 {
                left -= 1
                Warning.show("\(ShareError.confirmationMismatch)")
            }
        }
    }
}
