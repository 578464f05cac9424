import ArgumentParser
import HardwareKeys
import MainKey
import MainKeyLogind

/// How a program opens vaults on this machine: the options that do not depend on which vault it is.
package struct VaultArguments: ParsableArguments {
    @Flag(
        name: .long,
        help: ArgumentHelp(
            "Allow a TPM that is a program to protect the vault, which then says so.",
            discussion: "Whoever has that program's files has what it keeps: for tests and demonstrations."))
    var softwareTPM = false

    @Flag(
        name: .customLong("accept-tpm"),
        help: ArgumentHelp(
            "Bind the vault to the TPM that is there, also where this account knows another one at that address.",
            discussion: "After the machine's TPM was replaced or cleared."))
    var acceptsTPM = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder in which this account remembers its vaults.",
            discussion: "Default: .local/state/mainkey in the home that the list of users names.", valueName: "folder"),
        completion: .directory)
    var knownVaults: String?

    package init() {}

    /// How the vault is opened: by what was asked for, with what the account remembers, and listening to logind.
    ///
    /// - Parameter tpm: the address of the TPM; nil for the machine's own.
    package func opening(tpm: TPMAddress?) -> OpenOptions {
        var options = OpenOptions()
        options.tpm = tpm
        options.allowsSoftwareTPM = softwareTPM
        options.acceptsOtherTPM = acceptsTPM
        options.lockSignals = LogindSignals()
        // An account without a home remembers nothing.
        options.knownVaults = knownVaults.map(KnownVaults.init(at:)) ?? (try? .ofThisUser())
        return options
    }
}
