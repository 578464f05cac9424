import ArgumentParser
import Console
import InstalledSigner
import SecretMemory
import Signer
import Substrate
import TextForms

extension Key {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import derived keys that another signer exports.",
            discussion: """
                Takes an export (a payload with code de, as 'key export' makes it) and adds the keys whose seeds are \
                in this vault. Every address is derived here and compared: an export that names somebody else's \
                address as yours is refused as a whole. A key that is said to have a password is stored only when you \
                enter the password with which its path gives its address; else it is left out. Keys of unknown \
                networks or with malformed paths are left out too. A list of paths for one network, as older signers \
                make it, is taken below the seed that --seed names.

                Polkadot Vault exports keys with a password as if they had none. Name the paths that have one:

                  casemate key import --qr film.mov --with-password //polkadot//cold
                """)

        @OptionGroup var payload: PayloadOptions
        @OptionGroup var passwords: PasswordOptions

        @Option(
            name: .customLong("with-password"),
            help: ArgumentHelp(
                "A path whose key has a password that the export does not tell of; may be given several times.",
                discussion: "With --password-fd, each password is a line, in the order in which keys are listed.",
                valueName: "path"))
        var claimed: [String] = []

        @Option(help: "The seed below which a list of paths is made.")
        var seed: String?

        @Flag(help: "Do not ask.")
        var yes = false

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            let bytes = try payload.read()
            let opened = try unlock.open(vault, guarding: .keySetImport)
            let proposal = try opened.propose(bytes)
            let keys = try opened.orDropPending {
                switch proposal.answer.action {
                case .importDerivations: break
                case .importPaths where seed != nil: break
                case .importPaths: throw ValidationError("This is a list of paths: name the seed with --seed.")
                default: throw Failure.notAnExport
                }
                let decision = Decision(answer: proposal.answer, printsJSON: output.json)
                decision.show(asking: !yes)
                if !yes { _ = try opened.whileWaiting { try decision.ask("Import the new keys?") } }
                try NetworkGate.check(.keySetImport, in: opened)
                if let seed, case .importPaths = proposal.answer.action {
                    return try opened.importPaths(proposal, belowSeed: seed)
                }
                return try opened.importDerivations(proposal, claimed: Set(claimed)) { claim in
                    try password(of: claim, in: opened)
                }
            }
            tellLeftOut(proposal.answer, stored: keys)
            for path in keys.map(\.details.path) { (try? DerivationPath(parsing: path)).map(PathNotice.show(for:)) }
            guard !keys.isEmpty else { return try output.show([KeyJSON](), text: "No key is new.") }
            try output.show(keys, opened.networks(), of: opened)
        }

        /// - Returns: nil where nobody can be asked.
        private func password(of claim: PasswordClaim, in opened: Vault) throws -> SecretBytes? {
            guard passwords.passwordFd != nil || Terminal() != nil else { return nil }
            let name = ForeignName.shown(claim.seed + claim.path, as: .title)
            let entered = try opened.whileWaiting {
                try passwords.optionalPassword(prompt: "Password of \(name), \(claim.address) (empty: leave it out)")
            }
            try NetworkGate.check(.keySetImport, in: opened)
            return entered
        }

        /// Says which keys were offered and are not here: without their password nobody knows whose they are.
        private func tellLeftOut(_ answer: Answer, stored: [StoredKey]) {
            guard case .derivations(let groups)? = answer.cards.derivations.first?.kind else { return }
            let paths = Set(stored.map { $0.details.seedName + $0.details.path })
            for group in groups {
                for key in group.keys where key.status == .importable {
                    let name = group.name + DerivationText.split(key.path ?? "").path
                    guard !paths.contains(name) else { continue }
                    Warning.show(
                        "\(ForeignName.shown(name, as: .title)) was left out: its password was not entered, or not rightly."
                    )
                }
            }
        }
    }
}
