import ArgumentParser
import BasicFoundation
import CLinux
import Console
import MainKey

@main
struct MainKeyProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mainkey",
        abstract: "Encrypts local data under one key, kept by a TPM, a PIN, or both.",
        discussion: """
            First steps:
              mainkey doctor                    how well this machine keeps a key
              mainkey init --recovery           a vault with PIN and recovery code
              mainkey init --tpm-pin --hard-limit --recovery
                                                the same; the TPM counts wrong PINs
              mainkey status                    what there is; needs no PIN
              mainkey encrypt a.pdf a.mkf       a file: see decrypt, cat, check, files
              echo -n x | mainkey seal --table user --column email
                                                a value for a database: see open

            PINs and recovery codes are typed on the terminal, or read from a descriptor, one line each in the order \
            in which they would be asked for (--pin-fd 3 3<file). They are never arguments and never in the \
            environment.

            ENVIRONMENT
              MAINKEY_DIR     the folder of the vault
              NO_COLOR        no colour

            EXIT CODES
            \(Failure.exitCodes)

            With --json one object is printed; if something failed, its key "error" has the name above.
            """,
        version: "0.1.0",
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "A vault:",
                subcommands: [Init.self, Status.self, Verify.self, Wipe.self, Repair.self]),
            CommandGroup(
                name: "Ways to open it:",
                subcommands: [
                    Slots.self, ChangePIN.self, Protect.self, AddRecovery.self, RemoveSlot.self, SetAutolock.self,
                    Rekey.self,
                ]),
            CommandGroup(
                name: "Data:",
                subcommands: [
                    Seal.self, Open.self, Index.self, Encrypt.self, Decrypt.self, Cat.self, Check.self,
                    ListedFiles.self,
                    Token.self, Rotate.self,
                ]),
            CommandGroup(
                name: "Checks:",
                subcommands: [Doctor.self, Calibrate.self, PINCheck.self, SPKIPinCommand.self, SelfTest.self]),
        ])

    static func main() {
        StandardStreams.claim()
        do {
            // Before anything secret exists: no core dump, no back-trace of registers and memory.
            guard clinux_harden_process() == 0 else { throw Failure.hardening }
            MainKeyEvent.observeAll { if let warning = $0.warning { Warning.show(warning) } }
            var command = try parseProgram(CrashPoint.take(from: CommandLine.arguments.dropFirst()))
            try command.run()
        } catch  where error is ExitCode || exitCode(for: error) == .success {
            // Help, the version, or a code that has been explained already.
            exit(withError: error)
        } catch {
            FailureReport(error).end()
        }
    }
}
