import ArgumentParser
import Console
import Vigil

@main
struct VigilValidatorProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil-validator",
        abstract: "Vouches for one program, and lets that program vouch for it.",
        discussion: """
            It measures the program that connects to it through the kernel, by the signed manifest of both, and hands \
            out its secret (the grant) only if nothing was changed: no file, no page of code in memory, nothing \
            foreign that can run, no debugger.

            First steps:
              vigil-validator status            what is installed, and who is pinned
              vigil-validator run               answers, until it is ended
              vigil-validator provision         lets one program be pinned, for a minute

            ENVIRONMENT
              VIGIL_CONFIG  the configuration; else etc/vigil-validator.json beside bin/
              VIGIL_TPM     where the TPM is: device:PATH, unix:PATH, tcp:HOST:PORT or none
              NO_COLOR      no colour
            All others but those of the terminal and of the user's places are taken out before the program begins.

            EXIT CODES
              0   done
              1   nothing was pinned in time, or a check failed
              64  usage
              70  internal
              74  a file or socket cannot be used
              78  the configuration, the manifest or its files are not as they have to be
            """,
        version: "0.1.0",
        subcommands: [
            Run.self, Provision.self, Status.self, Revoke.self, Unpin.self, Migrate.self, Learn.self, SelfTest.self,
        ])

    static func main() {
        // Before anything is opened.
        StandardStreams.claim(unreadableArguments: Failure.Code.internalFailure.rawValue)
        do {
            try ThisProcess.protect()
            var command = try parseProgram()
            try command.run()
        } catch {
            Failure.exit(error, as: Self.self)
        }
    }
}
