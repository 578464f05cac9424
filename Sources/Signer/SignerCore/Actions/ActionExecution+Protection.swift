import MainKey
import Signer

/// What protects the vault.
extension ActionExecution {
    /// Reads the change in the data, and holds it until it is confirmed.
    func protectionIsGood() -> Bool {
        succeeds {
            let isSetUp = state.position.screen == .airgapCheck
            state.heldProtection = try ProtectionChange(
                reading: data, newPIN: secret, protection: isSetUp ? nil : host.protection(of: vault()))
        }
    }

    /// Whether the code that was typed is the one that was shown.
    func repeatsCode() -> Bool {
        succeeds {
            guard let code = state.heldProtection?.code else { throw CoreError.notPending }
            guard try RecoveryCode(typed: secretOrData()).bytes == code.bytes else {
                throw CoreError.recoveryCodeMismatch
            }
        }
    }

    /// Makes the change that is held. The vault is locked then, where something has to be shown to open it.
    func changesProtection() -> Bool {
        succeeds {
            guard let change = state.heldProtection else { throw CoreError.notPending }
            try host.change(change, of: vault(), showing: secret)
        }
    }
}
