import ArgumentParser
import Foundation
import HardwareKeys
import MainKey
import MainKeyLogind

/// Where the vault and the TPM are.
struct PlaceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The folder of the vault.",
            discussion: "Default: $MAINKEY_DIR, else mainkey in $XDG_DATA_HOME or ~/.local/share.", valueName: "folder"),
        completion: .directory)
    var dir: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the TPM is, as the TPM's tools name it: device:/dev/tpmrm0, swtpm:path=SOCKET.",
            discussion: "Default: device:/dev/tpmrm0. No variable of the environment changes it.", valueName: "address")
    )
    var tcti: String?

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

    var path: String {
        let environment = ProcessInfo.processInfo.environment
        if let path = dir ?? environment["MAINKEY_DIR"] { return path }
        if let data = environment["XDG_DATA_HOME"], !data.isEmpty { return data + "/mainkey" }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/mainkey"
    }

    func tpmAddress() throws(HardwareKeyError) -> TPMAddress {
        try tcti.map(TPMAddress.init(tcti:)) ?? .standard
    }

    func openOptions() throws(HardwareKeyError) -> OpenOptions {
        var options = OpenOptions()
        options.tpm = try tpmAddress()
        options.allowsSoftwareTPM = softwareTPM
        options.lockSignals = LogindSignals()
        options.acceptsOtherTPM = acceptsTPM
        // An account without a home remembers nothing.
        options.knownVaults = knownVaults.map(KnownVaults.init(at:)) ?? (try? .ofThisUser())
        return options
    }

    /// Opens the vault to use it, without unlocking it.
    func open() throws -> VaultEngine { try VaultEngine.open(at: path, try openOptions()) }

    /// Opens the vault for what changes nothing on the disk.
    func look() throws -> VaultEngine { try VaultEngine.look(at: path, try openOptions()) }
}
