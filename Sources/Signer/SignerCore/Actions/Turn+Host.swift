import Navigator
import Signer
import TextForms

/// The credential, the lock, what cannot be undone.
extension Turn {
    func credentialIsGood() -> Bool {
        succeeds { state.vault = try host.onboard(under: try secretOrData()) }
    }

    func unlocks() -> Bool {
        succeeds { state.vault = try host.unlock(with: try secretOrData()) }
    }

    func isAuthenticated() -> Bool {
        guard host.authenticates(secret) else {
            failure = CoreError.notAuthenticated
            return false
        }
        return true
    }

    func lock() {
        state.vault = nil
        host.lock()
    }

    /// Forgets what was scanned, in the vault too.
    func purgeTransaction() throws {
        state.transaction = nil
        // What is parsed next takes the place of what waits, in the same transaction.
        if action != .transactionFetched { try state.vault?.dropPending() }
    }

    func wipeSecrets() {
        (state.heldPath, state.exported) = (nil, nil)
        // A signature that was made is to be shown.
        if state.signing?.answer == nil { state.signing = nil }
        state.transaction?.passwords = [:]
    }

    func acknowledgeDanger() throws {
        try host.acknowledgeDanger()
        try state.vault?.acknowledgeOnline()
    }

    func wipe(keepingVerifier: Bool) throws {
        state.vault = try host.wipe(state.vault, keepsVerifier: keepingVerifier)
    }

    /// Whether the text is the one that was asked for, to confirm what cannot be undone.
    func isTypedRight() -> Bool {
        succeeds {
            guard let asked = try ConfirmTypedData(of: state)?.text, data == asked else {
                throw CoreError.confirmationMismatch
            }
        }
    }
}
