import ArgumentParser
import Console
import HardwareKeys
import MainKey
import SecretMemory
import Signer
import VaultArguments

/// What is to protect the vault's key.
enum ProtectionKind: String, EnumerableFlag {
    case pin, tpmPin, none

    static func help(for value: ProtectionKind) -> ArgumentHelp? {
        switch value {
        case .pin: "A PIN or passphrase."
        case .tpmPin: "A PIN that this machine's TPM checks and counts."
        case .none: "Nothing."
        }
    }
}

/// How the key is bound, and where a recovery code goes.
struct ProtectionOptions: ParsableArguments {
    @Flag(help: "With --tpm-pin: after 10 wrong PINs the TPM refuses for ever.")
    var hardLimit = false

    @Option(
        help: ArgumentHelp(
            "With --tpm-pin: open only where these registers of the TPM (PCRs) hold what they hold now.",
            discussion:
                "Of 0 to 15, with commas: 7 is what Secure Boot let start. After an update of the firmware or its keys only the recovery "
                + "code opens the vault, until protect binds it anew.",
            valueName: "numbers"))
    var pcrs: TPMRegisterSelection?

    @Flag(
        inversion: .prefixedNo,
        help: "Make a recovery code, which opens the vault when PIN or TPM are lost. Default: only with --tpm-pin.")
    var recovery: Bool?

    @OptionGroup var code: RecoveryCodeOptions

    func wantsRecovery(with kind: ProtectionKind) -> Bool { recovery ?? (kind == .tpmPin) }

    func check(with kind: ProtectionKind?) throws {
        guard !hardLimit || kind == .tpmPin else { throw ValidationError("--hard-limit goes with --tpm-pin.") }
        guard pcrs == nil || kind == .tpmPin else { throw ValidationError("--pcrs goes with --tpm-pin.") }
        guard pcrs == nil || recovery != false else {
            throw ValidationError("--pcrs needs a recovery code: the next update of the firmware would lose the vault.")
        }
        guard kind != ProtectionKind.none || recovery != true else {
            throw ValidationError("What nothing protects needs no recovery code.")
        }
    }

    func plan(_ kind: ProtectionKind) -> ProtectionPlan {
        switch kind {
        case .none: .none
        case .pin: .pin
        case .tpmPin: .hardware(HardwareBinding(hardLimit ? .hardLimit : .counter, registers: pcrs ?? .none))
        }
    }

    /// What the choice does not protect against, and which command does better.
    func limits(_ kind: ProtectionKind) -> String {
        let plan = plan(kind)
        switch kind {
        case .none: return plan.limits + " Choose a PIN with: casemate protect --pin"
        case .pin: return plan.limits + " with: casemate protect --tpm-pin"
        case .tpmPin:
            guard let pcrs, let limits = plan.registerLimits else { return plan.limits }
            return "\(plan.limits)\n\(limits): casemate protect --tpm-pin --pcrs \(pcrs) --recovery-code"
        }
    }

    func place() throws -> RecoveryOutput { try code.place() }
}

extension TPMRegisterSelection: ExpressibleByArgument {}

/// Where a new recovery code goes.
struct RecoveryCodeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the recovery code to this open descriptor instead of the terminal.",
            discussion: "For example  --recovery-fd 4 4>file .", valueName: "n"),
        transform: OutputDescriptor.init(argument:))
    var recoveryFd: OutputDescriptor?

    /// Where the code will be shown; settled before it exists.
    func place() throws -> RecoveryOutput { try RecoveryOutput(descriptor: recoveryFd) }
}

/// A PIN that is chosen now.
struct NewPINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the new PIN from this open descriptor instead of the terminal.", valueName: "n"),
        transform: InputDescriptor.init(argument:))
    var newPinFd: InputDescriptor?

    @OptionGroup var cost: CostOptions

    func newPIN() throws -> SecretBytes {
        try SecretInput.readNew(descriptor: newPinFd, prompt: "New PIN or passphrase", option: "--new-pin-fd")
    }
}
