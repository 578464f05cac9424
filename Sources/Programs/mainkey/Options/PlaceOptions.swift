import ArgumentParser
import Foundation
import HardwareKeys
import MainKey

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
            discussion: "Default: $MAINKEY_TCTI, else device:/dev/tpmrm0.", valueName: "address"))
    var tcti: String?

    var path: String {
        let environment = ProcessInfo.processInfo.environment
        if let path = dir ?? environment["MAINKEY_DIR"] { return path }
        if let data = environment["XDG_DATA_HOME"], !data.isEmpty { return data + "/mainkey" }
        return FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share/mainkey"
    }

    func tpmAddress() throws(HardwareKeyError) -> TPMAddress {
        guard let text = tcti ?? ProcessInfo.processInfo.environment["MAINKEY_TCTI"], !text.isEmpty else {
            return .standard
        }
        return try TPMAddress(tcti: text)
    }

    func openOptions() throws(HardwareKeyError) -> OpenOptions {
        var options = OpenOptions()
        options.tpm = try tpmAddress()
        return options
    }

    /// Opens the vault without unlocking it.
    func open() throws -> VaultEngine { try VaultEngine.open(at: path, try openOptions()) }
}
