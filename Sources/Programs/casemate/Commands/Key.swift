import Airgap
import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate

struct Key: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Keys of a seed: derive, number on, list, show, preview, export, import, remove, hand out.",
        subcommands: [
            Derive.self, Check.self, Next.self, List.self, Show.self, Preview.self, Export.self, Import.self,
            Remove.self, ExportSecret.self,
        ])

    struct Derive: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "derive",
            abstract: "Derive a key and enable it in a network.",
            discussion: """
                PATH is made of junctions: //hard or /soft (soft for sr25519 networks only), like //polkadot//savings. \
                A password (--password) is part of the key and never stored: whoever forgets it loses the key.
                """)

        @OptionGroup var passwords: PasswordOptions

        @Argument(help: "The name of the seed.")
        var seed: String

        @Argument(help: "The path, like //westend//savings; empty for the root.")
        var path: String

        @Option(help: "The network: its name, title or genesis hash.")
        var network: String

        @Flag(help: "Ask for a derivation password.")
        var password = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            PathNotice.show(for: try Self.checked(path))
            let opened = try unlock.open(vault, guarding: .newKey)
            let network = try opened.network(named: network)
            let wanted = password || passwords.passwordFd != nil
            let secret =
                wanted
                ? try opened.whileWaiting {
                    try SecretInput.readNew(
                        descriptor: passwords.passwordFd, prompt: "Derivation password", option: "--password-fd")
                } : nil
            try NetworkGate.check(.newKey, in: opened)
            let key = try opened.deriveKey(
                seed: seed, path: path, password: secret, network: network)
            try output.show([key], [network], of: opened)
        }

        /// Refuses a malformed path before anything secret is asked for.
        private static func checked(_ path: String) throws -> DerivationPath {
            do throws(SURIError) { return try DerivationPath(parsing: path) } catch {
                throw SignerError.invalidDerivation(reason: "\(error)")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys.")

        @Option(help: "Only keys of this seed.")
        var seed: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let opened = try unlock.open(vault, for: .read)
            let keys = try opened.keys().filter { seed == nil || $0.details.seedName == seed }
            try output.show(keys, opened.networks(), of: opened)
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a key's address with the QR code that wallets import.")

        @Argument(help: "The address, as 'key list' prints it.")
        var address: String

        @OptionGroup var place: AddressOptions

        @Option(help: ArgumentHelp("Write the QR code to this PNG file.", valueName: "file"), completion: .file())
        var out: String?

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let opened = try unlock.open(vault, for: .read)
            let (key, network) = try place.key(address, in: opened)
            try show(key, network, risks: ExposureNotices(of: [key], among: opened.keyRows()))
        }

        private func show(_ key: StoredKey, _ network: NetworkSpecs, risks: ExposureNotices) throws {
            let text = Vault.publicKeyText(of: key, in: network)
            let codes = try TransferSender(Array(text.utf8))
            if let out { try QROutput.write(codes, to: out) }
            struct Shown: Encodable {
                var key: KeyJSON
                var qr: String
            }
            guard !output.json else {
                return try output.printJSON(Shown(key: KeyJSON.list([key], [network], risks: risks)[0], qr: text))
            }
            print(KeyTable.text([key], [network]) + risks.text)
            try QROutput.show(codes)
        }
    }
}
