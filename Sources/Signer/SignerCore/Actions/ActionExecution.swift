import Navigator
import NetworkDetector
import SecretMemory
import Signer
import Substrate

/// One action under way: asks the rules which of them fires, does what it says, and makes the result.
///
/// What a guard asks for that can fail is carried out when it is asked, once, and kept; the effects of the rule that
/// fires take it over. So the vault is written once for an action.
final class ActionExecution {
    let action: UserAction
    let data: String
    let secret: SecretBytes?
    /// What shows that the person may do what cannot be undone, where it is not the secret itself.
    let credential: SecretBytes?
    let host: any CoreHost
    var state: CoreState
    /// Why a guard does not hold, or an effect failed; the last one is shown.
    var failure: (any Error)?
    lazy var detector = host.detector()

    // What was carried out, once, when a guard asked for it.
    lazy var signing = attemptSigning()
    lazy var contentSigning = attemptContentSigning()
    lazy var making = attemptMaking()
    lazy var recovering = attemptRecovering()
    lazy var taken = attemptTaking()

    init(
        _ action: UserAction, data: String, secret: SecretBytes?, credential: SecretBytes?, host: any CoreHost,
        state: CoreState
    ) {
        self.action = action
        self.data = data
        self.secret = secret
        self.credential = credential
        self.host = host
        self.state = state
    }

    /// Does it.
    ///
    /// - Returns: the state behind it, and what is shown.
    func run() -> (state: CoreState, result: ActionResult) {
        var rule: Rule?
        if !leaveIfSealed() {
            let screen = state.position.screen
            hideSecrets()
            // What was decided on the words is not done on the page that they leave behind.
            if state.position.screen != screen, [.goForward, .goBack].contains(action) {
                if state.position.alert == nil { state.position.alert = .shield }
            } else {
                rule = act()
            }
            // No action leads to a secret where none is to be.
            if hideSecrets(), state.position.alert == nil { state.position.alert = .shield }
            // What locked the vault in the middle of it does not ask again, and a page that others have overtaken would
            // refuse the same for ever.
            if isClosedUnderPage || isPageOutdated {
                leave(showing: state.position.alert == .error ? state.failure : nil)
            }
        }
        state.tidy()
        let result = result(firedBy: rule)
        // Held on to, it would keep others from opening the vault.
        if state.vault?.isUnlocked == false { state.vault = nil }
        return (state, result)
    }

    /// Opens a vault for which nobody has to show anything: at the start, and where a change has closed it, as of a
    /// closed one nobody knows what it lets pass.
    private func openWhatAsksNobody() throws {
        guard state.vault == nil else { return }
        // Whoever has locked it opens it by hand.
        guard action == .start || ![.nowhere, .unlock].contains(state.position.screen) else { return }
        if host.isOnboarded, !host.isLocked { state.vault = try host.openVault() }
    }

    /// Where the machine is not cut off, no secret stays on the screen.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    private func hideSecrets() -> Bool {
        guard state.showsSecret, !detector.permitsSecrets else { return false }
        state.hideSecrets()
        return true
    }

    /// - Returns: the rule that fired.
    private func act() -> Rule? {
        let before = state
        do {
            try openWhatAsksNobody()
            guard let step = RuleTable.shared.step(action, at: state.position, holds: holds) else {
                if let failure { raise(failure) }
                return nil
            }
            let raises = step.position.alert == .error && state.position.alert == nil
            for effect in step.rule.effects { try carryOut(effect) }
            state.position = step.position
            if raises { state.failure = CoreFailure(failure ?? CoreError.notPending) }
            try prepare()
            return step.rule
        } catch {
            state = before
            raise(error)
            return nil
        }
    }

    /// Shows an error over what was there.
    func raise(_ error: any Error) {
        state.position.alert = .error
        state.failure = CoreFailure(error)
    }

    /// The screen of the new position, or an alert over nothing where it cannot be made.
    private func result(firedBy rule: Rule?) -> ActionResult {
        do {
            return try ActionResult(of: state, host: host, detector: detector, rule: rule?.id)
        } catch {
            // What is not shown any more is not to wait. Where that is not taken, opening the vault drops it.
            if state.transaction != nil { try? state.vault?.dropPending() }
            var failure = CoreFailure(error)
            if rule?.effects.isEmpty == false {
                // Errors of an action say that it was not done.
                let reason = failure.code == CoreError.locked.reportedCode ? "\(CoreError.locked)" : failure.text
                failure.text = "What you asked for was done, and what came of it cannot be shown. \(reason)"
            }
            state.position = .broken
            state.failure = failure
            state.tidy()
            return ActionResult(brokenBy: failure, detector: detector, rule: rule?.id)
        }
    }

    /// Carries something out that may fail.
    ///
    /// - Returns: whether it succeeded; if not, ``failure`` says why.
    func succeeds(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            failure = error
            return false
        }
    }

    /// The vault that is open.
    func vault() throws -> Vault {
        if let vault = state.vault { return vault }
        throw host.isOnboarded ? CoreError.locked : CoreError.notSetUp
    }

    /// What came as a secret, or as data where there is none.
    func secretOrData() throws -> SecretBytes {
        if data.isEmpty, let secret { return secret }
        var bytes = Array(data.utf8)
        return try SecretBytes(movingFrom: &bytes)
    }
}
