import SecretMemory

/// What a person or the machine opens a vault with.
public enum Credential: Sendable {
    /// The key item beside the vault: no protection but that of the file system.
    case none
    case pin(SecretBytes)
    case recovery(RecoveryCode)
    /// The TPM or Secure Enclave alone.
    case hardware
    case hardwareAndPIN(SecretBytes)

    var kind: Slot.Kind {
        switch self {
        case .none: .none
        case .pin: .pin
        case .recovery: .recovery
        case .hardware: .hardware
        case .hardwareAndPIN: .hardwareAndPIN
        }
    }
}

extension Slot.Kind {
    /// The name of the credential in commands and messages.
    package var title: String {
        switch self {
        case .none: "none"
        case .pin: "pin"
        case .hardware: "tpm"
        case .hardwareAndPIN: "tpm+pin"
        case .recovery: "recovery"
        }
    }
}
