import ArgumentParser
import Console

@main
struct GateProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gate",
        abstract: "Lets genuine copies of your app through to your WebSocket service, and nobody else.",
        discussion: """
            First steps, without an Apple device:
              gate mint-test-ca trial              your own authority, and a configuration
              gate serve --config trial/gate.conf  the gate; an echo without UPSTREAM_URL
              gate mint connect wss://localhost:6200/ --authority trial
                                                      register, connect, echo

            In earnest:
              gate check-config --config gate.conf    what the settings come out as
              gate serve --config gate.conf           the gate
              gate keys list --config gate.conf       who is registered
              gate keys ban KEY --config gate.conf    ban a key and its device (DEVICECHECK)
              gate accounts ban NAME --config gate.conf
                                                      ban an account (ACCOUNT_BINDING)

            Each setting is a variable of the environment (WS_PORT), a line of the --config file (WS_PORT=6200) or a \
            flag (--ws-port 6200); a flag wins over the file, the file over the environment. gate check-config --list \
            names them all.

            EXIT CODES
            \(Failure.exitCodes)
            """,
        version: "0.1.0",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(name: "The gate:", subcommands: [Serve.self, CheckConfig.self, Keys.self, Accounts.self]),
            CommandGroup(name: "What devices send:", subcommands: [Inspect.self, Verify.self]),
            CommandGroup(name: "Without a device:", subcommands: [MintTestCA.self, Mint.self]),
        ])

    static func main() async {
        StandardStreams.claim()
        do {
            var command = try parseProgram()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            // Help, the version, or a code that has been explained already.
            exit(withError: error)
        } catch {
            FailureReport(error).end()
        }
    }
}
