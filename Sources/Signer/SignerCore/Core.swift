import Navigator
import SecretMemory
import Signer
import Substrate
import Synchronization

/// The vault as a machine of states: actions of a person, or of the host for them, lead from one screen to the next, by
/// the rules of the navigator. Terminal, window and tests are views of it.
///
///     let core = Core(host: host)
///     show(try core.action(.start))
///     show(try core.action(.selectSeed, data: "savings"))
///
/// What an action does is done once, in one transaction of the vault, and the result is all that a page needs. An
/// impossible action changes nothing. Errors of an action are an alert over the screen; errors while a screen is made
/// leave nothing but an alert, behind which the settings are.
///
/// ## Secrets
/// The vault keeps its phrases sealed and opens them itself. So a phrase is given to the core only where the vault
/// does not have it: with the words of a new seed that were shown, where it is compared, and for a seed that is
/// recovered. In other actions a phrase may be given, as a host with a store of its own would; it is then compared with
/// the stored one, in a time that tells nothing, and another phrase is refused. Passwords and credentials come as
/// `secret` where `data` is empty, or as `data`; a path that ends in three slashes takes its password from `secret`.
///
/// Source: `signer-product` section 6.1.
package final class Core: Sendable {
    /// What the core needs of the program around it.
    package let host: any CoreHost
    private let guarded: Mutex<Guarded>

    private struct Guarded: Sendable {
        var state = CoreState()
        /// Whether an action has begun that did not come to its end.
        var isPoisoned = false
    }

    /// Begins before the first action.
    package init(host: any CoreHost) {
        self.host = host
        guarded = Mutex(Guarded())
    }

    /// Does what a person did.
    ///
    /// - Parameters:
    ///   - type: what was done.
    ///   - data: a name, a key, a number, what was scanned: as the action says.
    ///   - secret: a phrase, password or credential; let go of when this returns or throws.
    ///   - credential: shows that the person may do what cannot be undone, where the secret is something else.
    ///   - page: the position of the page that the person saw; nil where the action is meant wherever the core is.
    /// - Throws: ``CoreError/busy`` while another action is under way; ``CoreError/poisoned`` after one that crashed;
    ///   ``CoreError/otherPage`` where the core is not at `page` any more: what was meant for one is done on no other.
    package func action(
        _ type: UserAction, data: String = "", secret: SecretBytes? = nil, credential: SecretBytes? = nil,
        on page: Position? = nil
    ) throws(CoreError) -> ActionResult {
        let result: ActionResult? = try withState { state in
            guard page == nil || page == state.position else { return (state, nil) }
            let done = ActionExecution(
                type, data: data, secret: secret, credential: credential, host: host, state: state
            ).run()
            return (done.state, done.result)
        }
        guard let result else { throw .otherPage }
        return result
    }

    /// Takes note that the network detector says something else, or that the store of secrets sealed itself: what is
    /// secret leaves the screen at once.
    ///
    /// - Returns: what is to be shown now.
    package func hostChanged() throws(CoreError) -> ActionResult { try action(.nothing) }

    /// Where the person is.
    package func position() throws(CoreError) -> Position {
        try withState { state in (state, state.position) }
    }

    /// Forgets everything that is held, and locks the vault: the end of a program that lives.
    ///
    /// What waits for a decision is dropped. It takes what an action that did not come to its end left, too.
    package func close() {
        guarded.withLock { guarded in
            try? guarded.state.vault?.dropPending()
            guarded.state = CoreState()
        }
        host.lock()
    }

    /// Gives the phrase that the backup is about, to be shown; the log says so before it is handed out.
    ///
    /// - Returns: the words as UTF-8, single blanks between.
    package func backupPhrase() throws -> SecretBytes {
        let outcome: Result<SecretBytes, any Error> = try withState { state in
            let result = Result {
                guard state.position.modal == .backup, let seed = state.seed, let vault = state.vault else {
                    throw CoreError.notPending
                }
                guard host.detector().permitsSecrets else { throw CoreError.detectorNotSafe }
                return try vault.revealSeed(named: seed).phrase()
            }
            return (state, result)
        }
        return try outcome.get()
    }

    /// Looks at a path while it is typed, on the page of a new key. Nothing is changed, and no password is looked at.
    ///
    /// - Parameter path: junctions, and perhaps three slashes with a password behind them.
    /// - Throws: ``CoreError/notPending`` where no key is being made.
    package func derivationCheck(_ path: String) throws -> DerivationCheckData {
        let check: Result<DerivationCheckData, any Error> = try withState { state in
            let result = Result {
                guard state.position.screen == .deriveKey, let seed = state.seed, let vault = state.vault else {
                    throw CoreError.notPending
                }
                let network = try vault.shownNetwork(state.network)
                return DerivationCheckData(
                    try vault.derivationCheck(path, ofSeed: seed, in: network), network: network)
            }
            return (state, result)
        }
        return try check.get()
    }

    /// Names of the seeds whose phrases are here, in byte order.
    package func seedNames() throws -> [String] {
        let names: Result<[String], any Error> = try withState { state in
            (state, Result { try state.vault?.seedNames() ?? [] })
        }
        return try names.get()
    }

    /// What is wrong with the vault and the core between two actions; empty where nothing is.
    ///
    /// - Parameter secrets: phrases and passwords that must be nowhere.
    ///
    /// Source: `signer-product` section 13.
    package func breaches(secrets: [SecretBytes] = []) throws -> [String] {
        let found: Result<[String], any Error> = try withState { state in
            (state, Result { try Invariants(state: state).breaches(secrets: secrets) })
        }
        return try found.get()
    }

    /// Runs `body` with the state, which it may replace, unless somebody else has it.
    private func withState<R>(
        _ body: (CoreState) -> (state: CoreState, result: R)
    ) throws(CoreError) -> R {
        let outcome = guarded.withLockIfAvailable { guarded -> Result<R, CoreError> in
            guard !guarded.isPoisoned else { return .failure(.poisoned) }
            guarded.isPoisoned = true
            let (state, result) = body(guarded.state)
            guarded.state = state
            guarded.isPoisoned = false
            return .success(result)
        }
        guard let outcome else { throw .busy }
        return try outcome.get()
    }
}
