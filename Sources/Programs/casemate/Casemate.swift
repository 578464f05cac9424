import ArgumentParser
import BasicFoundation
import CLinux
import Console
import InstalledSigner
import MainKey
import Signer
import SplitBackup
import TextForms

@main
struct Casemate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "casemate",
        abstract: "An air-gapped signer: shows what a transaction does, signs it, answers with a QR picture.",
        discussion: """
            First steps:
              casemate demo                        the round trip with a public test key
              casemate init                        make a vault, protected as you choose
              casemate seed new savings            a recovery phrase, a key in each network
              casemate inspect --qr photo.png      what a wallet's QR code asks for
              casemate sign --qr photo.png         the same, then sign after a yes
              casemate --isolated sign --qr p.png  the same, away from the machine's network
              casemate update --qr film.mov        a new network or metadata, after a yes

            PINs, passphrases, phrases and passwords are typed on the terminal or read from a descriptor (--pin-fd 3 \
            3<file); new phrases and recovery codes are shown on the terminal or written to one (--phrase-fd 4 \
            4>file). They are never arguments and never in the environment. Of the environment, what is not about the \
            terminal, the user's places or this program (CASEMATE_, MAINKEY_, VIGIL_) is taken out before the program \
            begins.

            EXIT CODES
            \(ExitStatus.help)

            \(OutputOptions.failureHelp)
            """,
        version: "0.1.0",
        subcommands: [
            Init.self, Seed.self, Key.self, Network.self, ContactCommand.self, Inspect.self, Sign.self, Update.self,
            Log.self, Status.self, SelfCheck.self,
            Unlock.self,
            Lock.self, NetworkPolicyCommand.self, Acknowledge.self, Isolated.self, Protect.self, Rotate.self, Wipe.self,
            VigilCommand.self, Metadata.self, CoreCommand.self, Demo.self,
        ])

    static func main() {
        // Before anything is opened: what was open is what options may name.
        StandardStreams.claim()
        // Before there is another thread, and before the process hides from itself.
        let arguments: [String]
        do { arguments = try Isolation.take(from: Array(CommandLine.arguments.dropFirst())) } catch { end(error) }
        // Its own descriptors first: afterwards no process may open them.
        InstalledValidator.prepare()
        // Before anything secret exists: no core dump, no back-trace of registers and memory. What is freed is put to
        // zeros by CZeroingHeap, which this program is linked with.
        guard clinux_harden_process() == 0 else { end(InstallationError.notHardened) }
        MainKeyEvent.observeAll { if let warning = $0.warning { Warning.show(warning) } }
        do {
            var command = try parseProgram(CrashPoint.take(from: arguments[...]))
            do { try command.run() } catch let refusal as ValidationError {
                OutputOptions.printFailure("\(refusal)", code: OutputOptions.wrongUsage)
                end(refusal, by: command, EX_USAGE)
            }
        } catch  where Self.isOwn(error) {
            end(error)
        } catch {
            if exitCode(for: error) == .validationFailure {
                OutputOptions.printFailure(message(for: error), code: OutputOptions.wrongUsage)
            }
            exit(withError: error)
        }
    }

    /// Whether the error is one of ours, and not the argument parser's.
    private static func isOwn(_ error: any Error) -> Bool {
        !(error is ExitCode || error is CleanExit || error is ValidationError)
            && Casemate.exitCode(for: error) == ExitCode.failure
    }

    /// The error as a vault's, where it is one of what a vault is made of.
    private static func inWordsOfVault(_ error: any Error) -> any Error {
        switch error {
        case let error as MainKeyError: SignerError.vaultKey(error)
        case let refusal as VigilRefusal: SignerError.vigil(refusal)
        default: error
        }
    }

    private static func end(_ error: any Error) -> Never {
        let error = inWordsOfVault(error)
        let code =
            (error as? SignerError)?.code ?? (error as? RefusedPayload)?.code
            ?? (error as? ShareError)?.code
            ?? (error as? ThrowsFault)?.code
            ?? (error as? NetworkGate.Refusal)?.code
        let (text, status) = (NextStep.text(of: error), ExitStatus(error))
        OutputOptions.printFailure(text, code: code ?? status.name)
        ProgramLine.failure(ScreenText.escape(text), code: code, by: "casemate")
        BasicFoundation.exit(status.rawValue)
    }
}
