import ArgumentParser
import Console
import Signer
import Substrate

extension Key {
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "import",
            abstract: "Import derived keys that another signer exports.",
            discussion: """
                Takes an export (a payload with code de) and adds the keys whose seeds are in this vault. Every address is derived
                here and compared: an export that names somebody else's address as yours is refused as a whole. Keys with a
                password, of unknown networks or with malformed paths are left out; 'key derive' makes them one by one. A list of
                paths for one network, as older signers make it, is taken below the seed that --seed names.
                """)

        @OptionGroup var payload: PayloadOptions
        @OptionGroup var vault: VaultOptions
        @OptionGroup var unlock: UnlockOptions
        @OptionGroup var output: OutputOptions

        @Option(help: "The seed below which a list of paths is made.")
        var seed: String?

        @Flag(help: "Do not ask.")
        var yes = false

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
                return try opened.importDerivations(proposal)
            }
            for path in keys.map(\.details.path) { (try? DerivationPath(parsing: path)).map(PathNotice.show(for:)) }
            let networks = try opened.networks()
            try output.show(
                KeyJSON.list(keys, networks),
                text: keys.isEmpty ? "No key is new." : KeyTable.text(keys, networks))
        }
    }
}
