import ArgumentParser
import Console
import SecretMemory

/// The PIN or passphrase of the vault.
struct PinOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the PIN or passphrase from this open descriptor instead of the terminal.",
            discussion: "Up to the first line break; for example  --pin-fd 3 3<file .", valueName: "n"))
    var pinFd: Int32?

    func pin(prompt: String = "PIN or passphrase") throws -> SecretBytes {
        try SecretInput.read(descriptor: pinFd, prompt: prompt, option: "--pin-fd")
    }

    func newPin() throws -> SecretBytes {
        try SecretInput.readNew(descriptor: pinFd, prompt: "New PIN or passphrase", option: "--pin-fd")
    }
}

/// The password of a derived key, which is part of its path and is never stored.
struct PasswordOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the key's derivation password from this open descriptor instead of the terminal.", valueName: "n"))
    var passwordFd: Int32?

    func password(prompt: String) throws -> SecretBytes {
        try SecretInput.read(descriptor: passwordFd, prompt: prompt, option: "--password-fd")
    }
}
