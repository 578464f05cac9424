import ArgumentParser
import Console
import HardwareKeys
import MainKey
import SecretMemory
import Signer

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

    /// What the choice does not protect against.
    func limits(_ attemptLimit: Int, _ details: ProtectionOptions) -> String {
        switch self {
        case .none:
            """
            Nothing protects the key: whoever can read this folder can sign with your seeds. Only a backup without key/items is \
            of no use to others. Choose a PIN with: casemate protect --pin
            """
        case .pin:
            """
            The PIN is all that protects the key. This program takes \(attemptLimit) wrong PINs, but whoever copies the folder can \
            try as many as he has time for, and a PIN of six digits does not last long then: take more characters, or bind it to a \
            TPM with: casemate protect --tpm-pin
            """
        case .tpmPin:
            """
            A copy of the folder opens nothing without this machine, whose TPM counts wrong PINs\
            \(details.hardLimit ? " and after \(attemptLimit) refuses for ever; then only the recovery code opens the vault" : ""). It \
            does not protect against who controls this machine while the vault is open.\(details.registerLimits)
            """
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

    /// What a binding to registers means, on a line of its own.
    fileprivate var registerLimits: String {
        guard let pcrs else { return "" }
        return """

            It opens only as this machine was started now (register \(pcrs) of its TPM). After an update of the firmware or of the keys of \
            Secure Boot, bind it anew: casemate protect --tpm-pin --pcrs \(pcrs) --recovery-code
            """
    }

    /// - Parameter pin: asked only where the kind has one.
    func protection(_ kind: ProtectionKind, pin: () throws -> SecretBytes) throws -> Protection {
        switch kind {
        case .none: .none
        case .pin: .pin(try pin())
        case .tpmPin:
            .hardwareAndPIN(
                try pin(), HardwareBinding(hardLimit ? .hardLimit : .counter, registers: pcrs ?? .none))
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

    func newPIN() throws -> SecretBytes {
        try SecretInput.readNew(descriptor: newPinFd, prompt: "New PIN or passphrase", option: "--new-pin-fd")
    }
}
