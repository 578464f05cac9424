import ArgumentParser
import Console
import Signer

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a vault.",
        discussion: """
            Asks for a new PIN or passphrase (4 bytes or more) under which seeds are sealed. Until the key is bound to hardware,
            choose a passphrase: a short PIN can be guessed by whoever copies the folder.
            """)

    @OptionGroup var vault: VaultOptions
    @OptionGroup var pin: PinOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        // Asked before the PIN is: a folder that is taken needs none.
        guard !Vault.exists(in: vault.folder) else { throw SignerError.vaultExists(folder: vault.folder.path) }
        let bundle = try NetworkBundle.shipped()
        try Vault.create(in: vault.folder, credential: try pin.newPin(), bundle: bundle)
        struct Made: Encodable {
            var folder: String
            var networks: [String]
        }
        let titles = bundle.networks.map(\.specs.title)
        try output.show(
            Made(folder: vault.folder.path, networks: titles),
            text: """
                The vault is in \(vault.folder.path), with the networks \(titles.joined(separator: ", ")).
                Seeds are sealed under your PIN or passphrase alone; there is no hardware key in this version.
                Next: casemate seed new NAME
                """)
    }
}
