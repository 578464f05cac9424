import ArgumentParser
import Console
import InstalledSigner
import Signer
import Substrate
import TextForms

extension Key {
    /// Which network is meant, where networks write an address in the same way.
    struct AddressOptions: ParsableArguments {
        @Option(help: "The network, where the address is of several: its name, title or genesis hash.")
        var network: String?

        /// A key that is in the vault, with the network in whose form its address is written.
        ///
        /// - Throws: ``Failure/addressOfSeveralNetworks(_:networks:)`` where no network is named and several have it.
        func key(_ address: String, in vault: Vault) throws -> (key: StoredKey, network: NetworkSpecs) {
            let named = try network.map { try vault.network(named: $0).key }
            let found = try Key.stored(address, in: vault).filter { named == nil || $0.network.key == named }
            guard let first = found.first else { throw SignerError.keyNotFound(address) }
            guard found.count == 1 else {
                throw Failure.addressOfSeveralNetworks(address, networks: found.map(\.network.name))
            }
            return first
        }
    }

    /// A key that is in the vault, with each of its networks in whose form its address is written.
    static func stored(_ address: String, in vault: Vault) throws -> [(key: StoredKey, network: NetworkSpecs)] {
        let networks = try vault.networks()
        return try vault.keys().flatMap { key in
            networks.filter { key.details.networks.contains($0.key) && key.address(in: $0).text == address }
                .map { (key, $0) }
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Say what a path would give, or offer one.",
            discussion: """
                Without a path it offers the next free one. A path is good, needs its password once more, or gives a \
                key that is here already; a password in it is not looked at. Nothing is made: casemate key derive.
                """)

        @Argument(help: "The name of the seed.")
        var seed: String

        @Argument(help: "The path, like //westend//savings; without it one is offered.")
        var path: String?

        @Option(help: "The network: its name, title or genesis hash.")
        var network: String

        @OptionGroup var options: OpeningOptions

        struct Checked: Encodable {
            /// The path, without a password.
            var path: String
            var isGood: Bool
            var needsPassword: Bool
            /// The address of the key that is here already.
            var collision: String?
            /// Why it gives no key.
            var error: String?
        }

        func run() throws {
            let opened = try options.open(for: .read)
            let specs = try opened.network(named: network)
            guard let path else {
                let offered = try opened.suggestedPath(ofSeed: seed, in: specs)
                let checked = Checked(path: offered, isGood: true, needsPassword: false)
                return try options.output.show(checked, text: offered)
            }
            let check = try opened.derivationCheck(path, ofSeed: seed, in: specs)
            var checked = Checked(
                path: DerivationText.split(path).path, isGood: check.next != nil, needsPassword: false,
                collision: check.collision.map { $0.address(in: specs).text }, error: check.error.map { "\($0)" })
            if case .repeatPassword? = check.next { checked.needsPassword = true }
            try options.output.show(checked, text: Self.text(checked))
            if !checked.isGood { throw ExitCode(ExitStatus.failure.rawValue) }
        }

        private static func text(_ checked: Checked) -> String {
            if let error = checked.error { return ScreenText.escape(error) }
            if let collision = checked.collision { return "This key is here already: \(collision)" }
            return checked.needsPassword ? "Good; the key has a password, which is asked for when it is made." : "Good."
        }
    }

    struct Next: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "next",
            abstract: "Make further keys below one, by number.",
            discussion:
                "Below //a they are //a//0, //a//1 and so on, behind the highest that is there. All are made, or none.")

        @Argument(help: "The address of the key below which they are, as 'key list' prints it.")
        var address: String

        @OptionGroup var place: AddressOptions

        @Option(help: "How many, at most 1024.")
        var count: UInt32 = 1

        @OptionGroup var options: OpeningOptions

        func run() throws {
            let opened = try options.open(guarding: .newKey)
            let (key, network) = try place.key(address, in: opened)
            try NetworkGate.check(.newKey, in: opened)
            let made = try opened.increment(key.signer, in: network.key, count: count)
            try options.output.show(made, [network], of: opened)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Take keys out of a network.",
            discussion: """
                A key that is in no other network is gone from the vault; its seed gives it again at any time. What is \
                on its address stays there.
                """)

        @Argument(help: "Addresses, as 'key list' prints them, all in one network.")
        var addresses: [String]

        @OptionGroup var place: AddressOptions
        @OptionGroup var options: Network.ChangeOptions

        func run() throws {
            let opened = try options.opening.open()
            let found = try addresses.map { try place.key($0, in: opened) }
            guard let network = found.first?.network, found.allSatisfy({ $0.network.key == network.key }) else {
                throw ValidationError("These addresses are of several networks. Remove them network by network.")
            }
            let title = ForeignName.shown(network.title, as: .title)
            let what = found.count == 1 ? "this key" : "these \(found.count) keys"
            try options.run(
                kind: "keys_removed", name: network.name, question: "Take \(what) out of \(title)?",
                done: "Removed from \(title).", in: opened
            ) { try opened.removeKeys(found.map(\.key.signer), from: network.key) }
        }
    }

    struct ExportSecret: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export-secret",
            abstract: "Hand the secret of one key out, for a wallet that is to hold it too.",
            discussion: """
                Whoever has the secret has what is on the key's address and on all that can be derived from it; the \
                vault marks these as exposed for ever. The secret of a key behind a soft junction gives the key above \
                it and all below that, too, since public keys are no secrets. Logged before it is shown. On the \
                terminal it is on a screen of its own for a minute; --secret-fd takes it instead, as the text that \
                wallets read: secret:0x…:GENESIS
                """)

        @OptionGroup var passwords: PasswordOptions

        @Argument(help: "The address of the key, as 'key list' prints it.")
        var address: String

        @OptionGroup var place: AddressOptions

        @Option(
            name: .customLong("secret-fd"),
            help: ArgumentHelp(
                "Write the text to this open descriptor instead of the terminal.",
                discussion: "For example  --secret-fd 4 4>file .", valueName: "n"),
            transform: OutputDescriptor.init(argument:))
        var secretFd: OutputDescriptor?

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        private static let seconds = 60

        func run() throws {
            let terminal = Terminal()
            guard secretFd != nil || terminal != nil else { throw InteractionError.noTerminalForQuestion }
            let opened = try unlock.open(vault, guarding: .secretExport)
            let (key, network) = try place.key(address, in: opened)
            if !yes {
                let along = ExposureWording.goesWith(
                    SecretExposure.countGivenAway(with: key, among: try opened.keyRows()),
                    givesParent: SecretExposure.givesParent(key.details))
                try opened.whileWaiting {
                    try Question.confirm(
                        "Hand out the secret of \(address)? It counts as exposed from then on. \(along)")
                }
            }
            let password =
                key.details.hasPassword
                ? try opened.whileWaiting { try passwords.password(prompt: "Password of this key") } : nil
            try NetworkGate.check(.secretExport, in: opened)
            let text = try opened.exportSecret(of: key.signer, in: network.key, password: password)
            // What it puts at risk beside what is marked.
            let endangered = try ExposureNotices(of: opened.keys(), among: opened.keyRows()).endangeredText
            if let secretFd {
                do { try SecretOutput.deliver(text, to: secretFd, option: "--secret-fd") } catch {
                    // Written before, so that nothing goes out unnoticed.
                    Warning.show("The log says that the secret was handed out, and the key counts as exposed.")
                    throw error
                }
            } else if let terminal {
                try SecretScreen(on: terminal, until: opened.lockRequested()).show(
                    text, heading: "The secret of \(address)", until: .seconds(Self.seconds))
            }
            print("The secret was handed out; the log says so, and the key counts as exposed." + endangered)
        }
    }
}
