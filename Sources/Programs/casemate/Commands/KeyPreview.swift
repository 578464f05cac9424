import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import SecretMemory
import Signer
import SignerCore
import Substrate

extension Key {
    struct Preview: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "preview",
            abstract: "Show which addresses a phrase gives in which wallet.",
            discussion: """
                Wallets make different keys of the same words. Compare the table with an
                address that you know:

                  sr25519          Polkadot Vault, polkadot-js, most Polkadot wallets
                  ed25519, ecdsa   the same wallets, where that kind was chosen
                  ecdsa-vault      the ecdsa key as Polkadot Vault writes it; it is not
                                   the account on the chain
                  ethereum         Polkadot Vault on chains with Ethereum addresses
                  ethereum-bip44   MetaMask, Talisman and polkadot-js on such chains
                  ledger-polkadot  a Ledger's words, app of Polkadot (coin 354)
                  ledger-kusama    the same, app of Kusama (coin 434); versions of the
                                   apps differ, so look at both

                A path is made of junctions (//polkadot//0) for the first five, or one \
                of BIP-32 (m/44'/60'/0'/0/7) for the scheme of its coin. A password is \
                what stands behind /// for junctions, and the passphrase of BIP-39 \
                ("25th word") for the others.

                On a terminal the words are typed without being shown, and the table is
                drawn anew with each key. Nothing is stored and nothing is logged.

                  casemate key preview --network kusama
                  casemate key preview --seed savings --path //polkadot
                  casemate key preview --path "m/44'/60'/0'/0/7"
                  casemate key preview --phrase-fd 3 --json 3<phrase
                """)

        @OptionGroup var passwords: PasswordOptions

        @Option(help: "Take the phrase of this stored seed.")
        var seed: String?

        @Option(
            help: ArgumentHelp("Read the words from this open descriptor.", valueName: "n"),
            transform: InputDescriptor.init(argument:))
        var phraseFd: InputDescriptor?

        @Option(
            name: .customLong("path"),
            help: ArgumentHelp(
                "A path to look at; may be given several times.",
                discussion: "Default: the root, with --network also that network's own path.", valueName: "path"))
        var paths: [String] = []

        @Option(help: "Write addresses for this network: its name, title or genesis hash.")
        var network: String?

        @Option(
            help: "Write addresses with this SS58 prefix. Default: 42, for Ledger that of its app's network.")
        var prefix: UInt16?

        @Option(help: "How many accounts to show of wallets that number them, 1 to \(PhrasePreview.accountLimit).")
        var accounts = 3

        @Flag(help: "Ask for a password.")
        var password = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func validate() throws {
            guard seed == nil || phraseFd == nil else {
                throw ValidationError("Give the phrase once: --seed, --phrase-fd, or typed on the terminal.")
            }
            guard network == nil || prefix == nil else {
                throw ValidationError("Give --network or --prefix; a network has its own prefix.")
            }
            guard (1...PhrasePreview.accountLimit).contains(accounts) else {
                throw ValidationError("Between 1 and \(PhrasePreview.accountLimit) accounts can be shown.")
            }
            guard prefix.map(SS58.isPrefix) ?? true else {
                throw ValidationError("SS58 prefixes are below 16384, without 46 and 47.")
            }
        }

        func run() throws {
            try NetworkGate.check(.dynamicDerivation, in: vault.folder)
            let network = try network.map { try Network.opened(vault).network(named: $0) }
            let texts = paths.isEmpty ? [""] + (network.map { [$0.pathID] } ?? []) : paths
            let paths = try texts.map(Vault.previewPath)
            let prefix = network?.base58Prefix ?? prefix
            let secret = try readPassword()
            func rows(_ preview: PhrasePreview, _ paths: [PhrasePreview.Path]) throws -> [PhrasePreview.Row] {
                try preview.rows(paths: paths, accounts: accounts, prefix: prefix)
            }
            if let terminal = liveTerminal() {
                let live = LivePreview(terminal: terminal, password: secret) { preview, typed in
                    PreviewTable.text(try rows(preview, typed.isEmpty ? paths : [Vault.previewPath(typed)]))
                }
                return print(try live.run())
            }
            let found = try rows(preview(secret), paths)
            try output.show(found.map(PreviewRow.init), text: PreviewTable.text(found))
        }

        /// Where the words are typed, if a person sits there and looks at the output.
        private func liveTerminal() -> Terminal? {
            seed == nil && phraseFd == nil && !output.json && Terminal.isDrawable ? Terminal() : nil
        }

        private func readPassword() throws -> SecretBytes? {
            guard password || passwords.passwordFd != nil else { return nil }
            let secret = try passwords.password(prompt: "Password")
            if secret.withUnsafeBytes({ $0.contains { $0 >= 0x80 } }) {
                let note = """
                    casemate: The password has characters beyond ASCII. Keys at junctions take it as it was typed, so the same \
                    letters from another keyboard may give other addresses.

                    """
                StandardError.write(note)
            }
            return secret
        }

        private func preview(_ password: SecretBytes?) throws -> PhrasePreview {
            if let seed {
                return try unlock.open(vault, for: .read, guarding: .dynamicDerivation)
                    .preview(ofSeed: seed, password: password)
            }
            let phrase = try SecretInput.read(descriptor: phraseFd, prompt: "Recovery phrase", option: "--phrase-fd")
            do throws(MnemonicError) {
                return try PhrasePreview(Mnemonic(phrase: phrase), password: password)
            } catch {
                throw SignerError.invalidMnemonic(error)
            }
        }
    }
}
