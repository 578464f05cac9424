import ArgumentParser
import CLinux
import Console
import Foundation

@main
struct MainKeyProgram: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mainkey",
        abstract: "Encrypts local data under one key, kept by a TPM, a PIN, or both.",
        discussion: """
            First steps:
              mainkey doctor                              how well this machine can keep a key
              mainkey init --recovery                     a vault with a PIN and a recovery code
              mainkey init --tpm-pin --hard-limit --recovery
                                                          the same, with the TPM counting wrong PINs
              mainkey status                              what there is; needs no PIN
              mainkey encrypt letter.pdf letter.mkf       a file; decrypt, cat and check read it
              echo -n secret | mainkey seal --table user --column email
                                                          a value for a database; open reads it

            PINs and recovery codes are typed on the terminal or read from a descriptor, one line each in the order in which they
            would be asked for (--pin-fd 3 3<file). They are never arguments and never in the environment.

            ENVIRONMENT
            MAINKEY_DIR the vault's folder · MAINKEY_TCTI where the TPM is · NO_COLOR no colour

            EXIT CODES
            \(Failure.exitCodes)

            With --json one object is printed; when something failed its key "error" has the name above.
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
                    Seal.self, Open.self, Index.self, Encrypt.self, Decrypt.self, Cat.self, Check.self, Token.self,
                    Rotate.self,
                ]),
            CommandGroup(
                name: "Checks:",
                subcommands: [Doctor.self, Calibrate.self, PINCheck.self, SPKIPinCommand.self, SelfTest.self]),
        ])

    static func main() {
        do {
            // Before anything secret exists: no core dump, no back-trace of registers and memory.
            guard clinux_harden_process() == 0 else { throw Failure.hardening }
            var command = try parseAsRoot()
            try command.run()
        } catch let error as CleanExit {
            exit(withError: error)
        } catch let error as ExitCode {
            exit(withError: error)
        } catch {
            FailureReport(error).end()
        }
    }
}
