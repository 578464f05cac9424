import ArgumentParser
import Console
import MainKey
import SecretMemory

/// Where what a person types comes from.
struct TypingOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read PINs and recovery codes from this open descriptor instead of the terminal, one line each.",
            discussion: "For example  --pin-fd 3 3<file .", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var pinFd: InputDescriptor?

    /// What opens a vault.
    func credential(_ prompt: String) throws -> SecretBytes {
        try SecretInput.readFilled(descriptor: pinFd, prompt: prompt, option: "--pin-fd")
    }

    /// What may be nothing: an empty line, and not the end of a descriptor.
    func secret(_ prompt: String) throws -> SecretBytes {
        try SecretInput.readAnswer(descriptor: pinFd, prompt: prompt, option: "--pin-fd")
    }

    /// Asks twice on the terminal, and refuses a weak PIN.
    func newPIN() throws -> SecretBytes {
        let pin = try SecretInput.readNew(descriptor: pinFd, prompt: "New PIN", option: "--pin-fd")
        try PINPolicy.standard.check(pin)
        return pin
    }
}
