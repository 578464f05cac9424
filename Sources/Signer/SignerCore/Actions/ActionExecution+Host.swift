import Navigator
import Signer
import TextForms

/// The credential, the lock, what cannot be undone.
extension ActionExecution {
    func credentialIsGood() -> Bool {
        succeeds {
            state.vault = try host.onboard(try state.heldProtection ?? .usual(under: try secretOrData()))
        }
    }

    func unlocks() -> Bool {
        succeeds { state.vault = try host.unlock(with: try secretOrData()) }
    }

    func isAuthenticated() -> Bool {
        succeeds { try host.authenticate(credential ?? secret) }
    }

    func lock() {
        state.vault = nil
        host.lock()
    }

    /// Leaves everything where the store sealed itself since the last action, or the vault's files are not those that
    /// were opened: nothing that was held stays, and what a person did on another page is not done.
    func leaveIfSealed() -> Bool {
        guard state.vault != nil else {
            guard isClosedUnderPage else { return false }
            leave()
            return true
        }
        var reason: (any Error)?
        do { try host.checkVault() } catch { reason = error }
        guard reason != nil || host.isLocked || !host.isOnboarded || state.vault?.isUnlocked == false else {
            return false
        }
        leave(showing: reason.map { CoreFailure($0) })
        return true
    }

    /// Whether the vault is locked under a page that shows what is in it.
    var isClosedUnderPage: Bool {
        switch state.position.screen {
        case .nowhere, .unlock, .airgapCheck: false
        default: host.isLocked
        }
    }

    /// Whether there is a vault under the page that sets one up, or none under the one that opens it: other programs
    /// make and remove them.
    var isPageOutdated: Bool {
        switch state.position.screen {
        case .airgapCheck: host.isOnboarded
        case .unlock: !host.isOnboarded
        default: false
        }
    }

    /// Forgets everything that is held, and goes to where the vault is opened or set up.
    func leave(showing failure: CoreFailure? = nil) {
        state = CoreState()
        host.lock()
        state.position = Position(host.isOnboarded ? .unlock : .airgapCheck)
        if let failure { (state.position.alert, state.failure) = (.error, failure) }
    }

    /// Forgets what was scanned, in the vault too.
    func purgeTransaction() throws {
        state.transaction = nil
        switch action {
        // What is parsed next takes the place of what waits, in the same transaction.
        case .transactionFetched: break
        // A disk that takes no write keeps no vault open. What waits is dropped before the vault is opened again.
        case .lock: try? state.vault?.dropPending()
        default: try state.vault?.dropPending()
        }
    }

    func wipeSecrets() {
        (state.heldPath, state.exported) = (nil, nil)
        // A signature that was made is to be shown.
        if state.signing?.answer == nil { state.signing = nil }
        state.transaction?.passwords = [:]
    }

    func acknowledgeDanger() throws {
        try host.acknowledgeDanger(in: state.vault)
        // The page behind it says what is so now.
        detector = host.detector()
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
