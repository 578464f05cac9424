import AirgapLink
import ArgumentParser
import Console

@main
struct GenerateMessageProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate-message",
        abstract:
            "The connected side of an air gap: fetches networks and metadata for vaults, and shows them as films.",
        discussion: """
            Run it on a machine that is on the network. It holds no keys: a vault takes an update by a signature, or \
            by what its person compares. What it knows of networks is in a database of its own, made on the first \
            start.

            New metadata for a vault, as a film that 'casemate update --qr' takes:
              generate-message watch
              generate-message load-metadata -k -n polkadot --packed
              generate-message make --msg load-packed-metadata --show \\
                  --payload sign_me_load_packed_metadata_polkadotV1002000

            The same with the signature that a vault has shown: --sufficient-qr answer.png

            A transaction of a dapp, over the air gap and back:
              generate-message transaction payload.json --show
              generate-message answer payload.json --qr /dev/video0 \\
                  --submit wss://rpc.polkadot.io

            One set flag says what a command does:
              -f   files from the database; nobody is asked
              -d   ask, write files; the database stays as it is
              -k   ask, store, write files of what is new
              -p   ask and store; no file
              -t   ask, store and write files (where nothing is said)
            And one reference says which networks: -a for all, -n NAME, -u URL.

            EXIT CODES
            \(ExitStatus.help)

            \(OutputOptions.failureHelp)
            """,
        version: "0.1.0",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Networks and metadata:",
                subcommands: [
                    Watch.self, Show.self, LoadMetadata.self, AddSpecs.self, LoadTypes.self, Unwasm.self,
                    MetaDefaultFile.self,
                    MetaAtBlock.self, Remove.self, RestoreDefaults.self,
                ]),
            CommandGroup(
                name: "Updates for vaults:",
                subcommands: [Make.self, Sign.self, PortalPages.self, Derivations.self, EncodeToQR.self]),
            CommandGroup(name: "Transactions:", subcommands: [Transaction.self, Answer.self]),
            CommandGroup(
                name: "To try readers with:", subcommands: [KeyInfoExportToQR.self, BulkTransactionTestPayload.self]),
            CommandGroup(name: "Releases:", subcommands: [MakeColdRelease.self, TransferMeta.self]),
        ])

    static func main() async {
        StandardStreams.claim()
        PictureReader.endWorkersOnSignals()
        do {
            var command = try parseProgram()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch  where error is ExitCode || exitCode(for: error) != .failure {
            if !(error is ExitCode), exitCode(for: error) == .validationFailure {
                OutputOptions.printFailure(message(for: error), code: OutputOptions.wrongUsage)
            }
            exit(withError: error)
        } catch {
            FailureReport(error).end()
        }
    }
}
