import MainKey
import SecretMemory

/// What a vault's key is to be protected by, as a person chooses it in every program.
package enum ProtectionPlan: Hashable, Sendable {
    /// Nothing.
    case none
    /// A PIN or passphrase.
    case pin
    /// A PIN that the machine's TPM checks and counts.
    case hardware(HardwareBinding)

    /// Wrong PINs that are taken of a vault that is protected anew.
    package static let attemptLimit = 10

    /// Whether a person chooses a PIN for it.
    package var takesPIN: Bool { self != .none }

    /// - Parameter pin: asked only where there is one.
    package func protection(pin: () throws -> SecretBytes) throws -> Protection {
        switch self {
        case .none: .none
        case .pin: .pin(try pin())
        case .hardware(let binding): .hardwareAndPIN(try pin(), binding)
        }
    }

    /// What it does not protect from, in sentences; a program says behind them how to do better.
    package var limits: String {
        switch self {
        case .none:
            """
            Nothing protects the key: whoever can read this folder can sign with your seeds. Only a backup without key/items is \
            of no use to others.
            """
        case .pin:
            """
            The PIN is all that protects the key. This program takes \(Self.attemptLimit) wrong PINs, but whoever copies the folder can \
            try as many as he has time for, and a PIN of six digits does not last long then: take more characters, or bind it to a TPM
            """
        case .hardware(let binding):
            """
            A copy of the folder opens nothing without this machine, whose TPM counts wrong PINs\
            \(binding.template == .hardLimit ? " and after \(Self.attemptLimit) refuses for ever; then only the recovery code opens the vault" : ""). \
            It does not protect against who controls this machine while the vault is open.
            """
        }
    }

    /// What binding it to registers of the TPM means, in sentences; nil where it is bound to none.
    package var registerLimits: String? {
        guard case .hardware(let binding) = self, binding.registers != HardwareBinding.counter.registers else {
            return nil
        }
        return """
            It opens only as this machine was started now (register \(binding.registers) of its TPM). After an update of the firmware or of the \
            keys of Secure Boot, bind it anew
            """
    }
}
