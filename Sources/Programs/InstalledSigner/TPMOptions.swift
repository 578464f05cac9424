import ArgumentParser
import HardwareKeys
import MainKey
import VaultArguments

/// Where the TPM is.
package struct TPMOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Where the TPM is, for vaults bound to one.",
            discussion:
                "device:PATH, swtpm:path=SOCKET or swtpm:host=127.0.0.1,port=N. Default: device:/dev/tpmrm0.",
            valueName: "tcti"))
    var tpm: String?

    @OptionGroup var arguments: VaultArguments

    package init() {}

    package func opening() throws -> OpenOptions {
        let address: TPMAddress?
        do throws(HardwareKeyError) { address = try tpm.map(TPMAddress.init(tcti:)) } catch {
            throw ValidationError("\(error)")
        }
        return arguments.opening(tpm: address)
    }
}
