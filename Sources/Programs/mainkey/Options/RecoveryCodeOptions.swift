import ArgumentParser
import Console

/// Where a new recovery code is shown.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to this open descriptor.", discussion: "For example  --recovery-fd 4 4>file .",
            valueName: "n"),
        transform: OutputDescriptor.init(argument:))
    var recoveryFd: OutputDescriptor?

    /// The place where the code will be shown, settled before the code exists.
    func place() throws -> RecoveryOutput { try RecoveryOutput(descriptor: recoveryFd) }
}
