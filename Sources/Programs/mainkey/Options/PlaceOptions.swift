import ArgumentParser
import BasicFoundation
import Files
import HardwareKeys
import MainKey
import VaultArguments

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

    @OptionGroup var opening: VaultArguments

    var path: String {
        dir ?? ProcessInfo.processInfo.variable("MAINKEY_DIR") ?? UserPlaces.data("mainkey")
    }

    func tpmAddress() throws(HardwareKeyError) -> TPMAddress {
        try tcti.map(TPMAddress.init(tcti:)) ?? .standard
    }

    func openOptions() throws(HardwareKeyError) -> OpenOptions {
        var options = opening.opening(tpm: try tpmAddress())
        // A command is over soon.
        options.watching = .none
        return options
    }

    /// Opens the vault to use it, without unlocking it.
    func open() throws -> MainKeyVault { try MainKeyVault.open(at: path, try openOptions()) }

    /// Opens the vault for what changes nothing on the disk.
    func look() throws -> MainKeyVault { try MainKeyVault.look(at: path, try openOptions()) }
}
