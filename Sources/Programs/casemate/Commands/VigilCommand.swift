import ArgumentParser
import BasicFoundation
import Console
import InstalledSigner
import SecretMemory
import Signer
import TextForms

/// The validator of this program.
struct VigilCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vigil",
        abstract: "The validator that vouches for this program: look, pin, bind the vault.",
        discussion: """
            A validator is a second program that measures this one through the kernel, and hands out its secret only \
            where nothing was changed. With one that is pinned, nothing is signed and no seed is opened without its \
            word. A vault that was opened with its word opens only with it from then on, until 'casemate vigil \
            unbind'. A vault that is bound takes its secret together with the PIN. Where the validator has a user of \
            its own, as 'make install-signed' gives it when root runs it, a changed casemate then opens nothing, even \
            with the right PIN. Where it runs as your user, whatever you run can read that secret. The recovery code \
            opens a bound vault without the validator, so make one before you bind.

              vigil-validator run        in another terminal, or as a service
              vigil-validator provision  opens the window for a minute
              casemate vigil provision   pins both, each by the other
              casemate vigil bind        joins the vault's PIN with the validator's secret

            The configuration is etc/users/NUMBER/vigil-app.json or etc/vigil-app.json beside bin/ of the installed \
            program, where NUMBER is your user's; CASEMATE_VIGIL names another.
            """,
        subcommands: [Status.self, Provision.self, Bind.self, Unbind.self], defaultSubcommand: Status.self)

    /// - Throws: `notProvisioned` where none is installed.
    fileprivate static func installed() throws -> InstalledValidator {
        guard let installed = InstalledValidator.current else { throw Failure.noVigil }
        return installed
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Ask the validator, and show what it looked at. Needs no PIN.",
            discussion: """
                The exit code is 18 where a validator is pinned and does not vouch for this program.
                """)

        @OptionGroup var output: OutputOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var tpm: TPMOptions

        func run() throws {
            let nobody = Unlocking(try tpm.opening()) { _ in throw SignerError.vaultKey(.locked) }
            let key = Vault.exists(in: vault.folder) ? try VaultKey.look(at: vault.folder, nobody) : nil
            let state = try ValidatorState.current(key)
            try output.show(state, text: Self.text(state))
            if !state.vouches, state.validatorKeyID != nil || state.reason != nil {
                throw ExitCode(ExitStatus.notVouched.rawValue)
            }
        }

        private static func text(_ state: ValidatorState) -> String {
            var lines: [String] = []
            if let configuration = state.configuration { lines.append("configured   \(configuration)") }
            if let product = state.product, let epoch = state.epoch {
                lines.append("product      \(ScreenText.escape(product)), manifest of epoch \(epoch)")
            }
            if let socket = state.socket { lines.append("answers at   \(ScreenText.escape(socket))") }
            lines.append("pinned       \(state.validatorKeyID ?? "none; pin one with: casemate vigil provision")")
            lines.append("verdict      \(state.line)")
            if let look = state.look, let other = state.validatorLook {
                lines.append("its look     \(look.line("this program"))")
                if !look.firsthand {
                    lines.append("             installed by root, it looks by itself: make install-signed")
                }
                lines.append("look at it   \(other.line("the validator"))")
            }
            if let kind = state.keyKind, let other = state.validatorKeyKind {
                lines.append("keys         \(kind) here, \(other) there")
            }
            if state.vouches {
                lines.append(
                    "secret       \(state.grants ? "given" : "none: the validator's configuration names no grantFile")")
            }
            if state.vouches {
                lines.append("user         \(state.sharedUser ? ValidatorState.sharedUser : "one of its own")")
            }
            lines.append("vault        \(state.bindingLine)")
            return lines.joined(separator: "\n")
        }
    }

    struct Provision: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "provision",
            abstract: "Pin the validator, and have this program pinned by it.",
            discussion: "The validator's window has to be open: vigil-validator provision")

        @Option(help: ArgumentHelp("The installer's token, 32 bytes, readable by you alone.", valueName: "file"))
        var tokenFile: String?

        @OptionGroup var output: OutputOptions

        func run() throws {
            let key = try VigilCommand.installed().provision(tokenFile: tokenFile)
            try output.show(
                ["validatorKeyID": key], text: "Pinned the validator \(key).\nNext: casemate vigil bind")
        }
    }

    struct Bind: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "bind",
            abstract: "Make the vault open only with the validator's word.",
            discussion: """
                The PIN stays what it is for you. It ends the session. Killed at any moment, the vault opens in the \
                old way or in the new one.
                """)

        @Flag(help: "Bind it also where vault and validator run as one user, which keeps out less.")
        var sharedUser = false

        @Flag(help: "Only write the vault's record of being bound anew, where it was lost.")
        var restore = false

        @OptionGroup var newPIN: NewPINOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            try NetworkGate.checkProtectionChange(in: vault.folder)
            let installed = try VigilCommand.installed()
            if try installed.verdict()?.account.isUserShared == true, !restore, !sharedUser {
                Warning.show(ValidatorState.sharedUser)
                do { try Question.confirm("Bind the vault all the same?") } catch InteractionError.noTerminalForQuestion
                {
                    throw Failure.userShared
                }
            }
            let key = try VaultKey(of: vault.folder, unlock.unlocking())
            guard !restore else {
                try key.restoreBinding()
                return print("The vault is bound; its record is back.")
            }
            try key.bind(newPIN: NetworkGate.forProtectionChange(in: vault.folder, newPIN.newPIN))
            let hasRecovery = try key.status().ways.contains { $0.kind == "recovery" }
            print(
                "The vault is bound: it opens with the PIN and the validator's word"
                    + (hasRecovery
                        ? ", or with the recovery code."
                        : ".\nWithout the validator it is lost: make a recovery code with: casemate protect --add-recovery")
            )
        }
    }

    struct Unbind: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unbind",
            abstract: "Make the vault open without a validator again, by the PIN alone.",
            discussion: """
                A vault that was once opened with a validator's word opens only with that validator's from then on, \
                bound or not; this takes it back too. It needs the validator's word. Where the validator is lost:

                  casemate vigil unbind --recovery-code

                takes the recovery code and a yes, and sets a new PIN where the old one was joined with the \
                validator's secret.
                """)

        @Flag(help: "Do not ask: for scripts.")
        var yes = false

        @OptionGroup var newPIN: NewPINOptions
        @OptionGroup var vault: VaultFolderOptions
        @OptionGroup var unlock: UnlockOptions

        func run() throws {
            try NetworkGate.checkProtectionChange(in: vault.folder)
            if unlock.recoveryCode, !yes {
                Warning.show(
                    "A program that was changed asks for the recovery code as this one does, and no validator can tell."
                )
                try Question.confirm("Give the validator up, and open the vault without?")
            }
            try VaultKey(of: vault.folder, unlock.unlocking())
                .unbind(newPIN: NetworkGate.forProtectionChange(in: vault.folder, newPIN.newPIN))
            print("The vault needs no validator any more: the PIN opens it alone. \(ValidatorState.meaning)")
        }
    }
}
