import ArgumentParser
import Console
import SecretMemory

/// The password of a derived key, which is part of its path and is never stored.
struct PasswordOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Read the key's derivation password from this open descriptor instead of the terminal.", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var passwordFd: InputDescriptor?

    /// The password of a key that has one: nothing would only cost an attempt.
    func password(prompt: String) throws -> SecretBytes {
        try SecretInput.readFilled(descriptor: passwordFd, prompt: prompt, option: "--password-fd")
    }

    /// The same where nothing leaves the key out.
    func optionalPassword(prompt: String) throws -> SecretBytes {
        try SecretInput.read(descriptor: passwordFd, prompt: prompt, option: "--password-fd")
    }
}
