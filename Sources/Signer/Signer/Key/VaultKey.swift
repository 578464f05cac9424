import BasicFoundation
import MainKey
import SecretMemory
import Synchronization

/// The MainKey of a vault: opened when something private is needed, gone again when the vault locks.
///
/// Work happens between two waits for a person or a camera. The time of autolock runs while the program waits, and a
/// vault that locked meanwhile asks again.
public final class VaultKey: Sendable {
    struct OpeningState {
        /// Whether a person opened it since it was last locked, and not a session.
        var isConfirmed = false
        var wasUnlocked = false
        /// Whether that person gave the recovery code, which needs no validator.
        var isRecovered = false
        /// What the validator said since the program last waited for a person.
        var verdict: Verdict.Account?
        /// The session with the validator that said it last, also while the program waits.
        var vouching: (any Vouching)?
        /// How many sessions with validators began or ended, which tells one from the next.
        var vouchings = 0
        /// The validator that the vault says it needs.
        var requiredValidator: String?
        /// How many uses are under way, one in the other.
        var depth = 0
    }

    let engine: MainKeyVault
    let unlocking: Unlocking
    /// The folder of the key; that of ``engine`` may have had another name when it was made.
    let folder: String
    let state = Mutex(OpeningState())
    /// A lock that is held while the note of the vault's files is changed.
    let filesAccess = Mutex(())

    /// Whether the vault is bound to a validator.
    var record: BindingRecord { BindingRecord(in: folder) }

    static func folder(of vault: URL) -> URL { vault.appending(path: "key") }

    /// Opens the key of a vault without unlocking it.
    public convenience init(of vault: URL, _ unlocking: Unlocking) throws {
        try Self.check(vault)
        let folder = Self.folder(of: vault)
        self.init(try Self.found(folder) { try MainKeyVault.open(at: folder.path, unlocking.options) }, unlocking)
    }

    /// Looks at the key of a vault, without changing anything on the disk.
    package static func look(at vault: URL, _ unlocking: Unlocking) throws -> VaultKey {
        try check(vault)
        let folder = folder(of: vault)
        return VaultKey(try found(folder) { try MainKeyVault.look(at: folder.path, unlocking.options) }, unlocking)
    }

    private static func check(_ vault: URL) throws {
        guard try Vault.isPresent(in: vault) else { throw SignerError.dbNotInitialized(folder: vault.path) }
        guard !VaultMigration.isNeeded(in: vault) else { throw SignerError.firstKind(folder: vault.path) }
    }

    /// A vault whose key is gone is damaged.
    private static func found(_ folder: URL, _ open: () throws -> MainKeyVault) throws -> MainKeyVault {
        do { return try onKey(open) } catch SignerError.vaultKey(.notFound) {
            throw SignerError.databaseDamaged(
                .file(path: folder.appending(path: "keyring.mk").path, reason: "it is missing"))
        }
    }

    /// - Parameters:
    ///   - engine: of a vault that was just made, and is unlocked.
    ///   - folder: that it will have; nil for the one that it was made in.
    init(_ engine: MainKeyVault, _ unlocking: Unlocking, folder: String? = nil) {
        self.engine = engine
        self.unlocking = unlocking
        self.folder = folder ?? engine.path
        if engine.state == .unlocked { noteUnlocked(isConfirmed: true) }
    }

    deinit { state.withLock { $0.vouching?.end() } }

    // MARK: Use

    /// Lends the keys of rows and seeds, after unlocking if need be.
    func withKeys<R>(_ body: (EpochKeys) throws -> R) throws -> R {
        try unlock()
        state.withLock { $0.depth += 1 }
        defer { state.withLock { $0.depth -= 1 } }
        do {
            return try engine.withUnlocked { vault in try body(vault.keys) }
        } catch let error as MainKeyError {
            throw SignerError.vaultKey(error)
        }
    }

    /// Makes sure that a person opened the vault in this process and that the validator, if one is pinned, vouches for
    /// this program, as what touches seeds asks for.
    public func confirm() throws {
        try unlock()
        if !isConfirmed {
            let typed = try ask(.seeds)
            // Not unlocked anew: what is in use stays usable.
            try trying(typed) { try engine.verify(typed.credential) }
            noteUnlocked(isConfirmed: true, isRecovered: typed.isRecoveryCode)
        }
        _ = try verdict()
    }

    /// Whether it is open, and a person opened it.
    var isConfirmed: Bool { isUnlocked && state.withLock { $0.isConfirmed } }

    /// Counts the time that `body` waits for a person or a device for autolock, and goes on counting where what came is
    /// by nobody.
    func whileWaiting<R>(
        until isByPerson: (R) -> Bool = { _ in true }, _ body: () throws -> R
    ) rethrows -> R {
        defer { forgetVerdict() }
        return try engine.whileWaiting(until: isByPerson, body)
    }

    /// Whether the vault is unlocked. The clock is asked as well, which may be ahead of its timer after the machine
    /// slept.
    private var isUnlocked: Bool { (try? engine.withUnlocked { _ in }) != nil }

    private func unlock() throws {
        guard !isUnlocked else { return }
        let (depth, isFirst) = state.withLock { ($0.depth, !$0.wasUnlocked) }
        // Locked in the middle of a use: its keys are gone, and asking would not bring them back.
        guard depth == 0 else { throw SignerError.vaultKey(.locked) }
        // Before a person is asked: why it locked may be what the validator found.
        try endVouching()
        let ways = try waysToOpen()
        if ways.contains("none") {
            try unlock(Typed(.none))
        } else if ways.contains("tpm") {
            try unlock(Typed(.hardware))
        } else if isFirst, try isOpenedBySession() {
            noteUnlocked(isConfirmed: false)
            try checkValidator()
        } else {
            try unlock(try ask(isFirst ? .opening : .lockedMeanwhile))
        }
    }

    /// Whether a session of this login opens the vault. Without its TPM a vault is still opened by the recovery code,
    /// so that is no reason not to ask.
    private func isOpenedBySession() throws -> Bool {
        do throws(MainKeyError) {
            guard let bound = try? binding() else { return try engine.unlockBySession() }
            // Without the validator's word the session is as if it were not there: a person who is asked then learns
            // why.
            guard try engine.sessionTimeLeft() != nil, let share = try? GrantShare.session(grant(of: bound)) else {
                return false
            }
            return try engine.unlockBySession(joinedWith: share)
        } catch {
            if case .hardwareUnavailable = error { return false }
            throw SignerError.vaultKey(error)
        }
    }

    /// Opens the vault, if the validator that it needs vouches for this program.
    func unlock(_ typed: Typed) throws {
        try trying(typed) { try engine.unlock(typed.credential) }
        noteUnlocked(isConfirmed: true, isRecovered: typed.isRecoveryCode)
        try checkValidator()
    }

    private func noteUnlocked(isConfirmed: Bool, isRecovered: Bool = false) {
        state.withLock { state in
            state.isConfirmed = isConfirmed
            state.isRecovered = isRecovered
            state.wasUnlocked = true
        }
    }

    // MARK: What is typed

    private func waysToOpen() throws -> Set<String> { Set(try status().ways.map(\.kind)) }

    /// What a person typed, and what it became.
    struct Typed {
        var credential: Credential
        /// A PIN as it was typed.
        var typed: SecretBytes?

        init(_ credential: Credential, typed: SecretBytes? = nil) {
            self.credential = credential
            self.typed = typed
        }

        var isRecoveryCode: Bool { if case .recovery = credential { true } else { false } }
    }

    func ask(_ reason: CredentialRequest.Reason) throws -> Typed {
        let status = try status()
        let ways = Set(status.ways.map(\.kind))
        // Said before anything is typed.
        if status.secondsBeforeAsking > 0 {
            throw SignerError.vaultKey(.throttled(seconds: status.secondsBeforeAsking))
        }
        let takesPIN = ways.contains("pin") || ways.contains("tpm+pin")
        let typed = try unlocking.credential(
            CredentialRequest(reason: reason, takesPIN: takesPIN, takesRecoveryCode: ways.contains("recovery")))
        switch typed {
        case .pin(let pin):
            let taken = try taken(pin)
            return Typed(ways.contains("tpm+pin") ? .hardwareAndPIN(taken) : .pin(taken), typed: pin)
        case .recoveryCode(let code):
            return Typed(.recovery(try onKey { try RecoveryCode(typed: code) }))
        }
    }

    /// Tries what was typed; says what else than the PIN may be wrong where a validator plays a part.
    func trying(_ typed: Typed, _ body: () throws -> Void) throws {
        do { try body() } catch let error as MainKeyError {
            if case .wrongCredential(let left) = error, typed.isRecoveryCode {
                throw SignerError.wrongRecoveryCode(attemptsLeft: left)
            }
            guard case .wrongCredential(let left) = error, left != 0, typed.typed != nil,
                let suspicion = try? suspicion()
            else { throw SignerError.vaultKey(error) }
            throw SignerError.vigil(.wrongPIN(attemptsLeft: left, suspicion))
        }
    }

    private func suspicion() throws -> VigilRefusal.Suspicion? {
        guard let bound = try binding() else { return unlocking.vigil == nil ? nil : .recordMissing }
        guard let answering = state.withLock({ $0.verdict })?.validatorKeyID, answering != bound.validatorKeyID else {
            return nil
        }
        return .otherValidator(bound: bound.validatorKeyID, answering: answering)
    }

    /// The owner of a vault's rows and seeds: the signer, which alone finds them.
    static let owner = "casemate"

    static func owned(_ options: VaultOptions) -> VaultOptions {
        var options = options
        options.owner = owner
        return options
    }

    // MARK: Settings

    /// What can be said of the key without any secret.
    public func status() throws -> VaultStatus {
        try onKey { try engine.status() }
    }

    /// The same with what the hardware has counted of wrong PINs, which takes as long as the hardware does.
    package func fullStatus() throws -> VaultStatus {
        try onKey { try engine.status(asksHardware: true) }
    }

    /// Replaces ways to open the vault in one step, after the person showed to be allowed to. Ends the session.
    ///
    /// - Parameters:
    ///   - kept: kinds of ways that stay.
    ///   - added: asked for when the person has shown it.
    public func setProtections(
        keeping kept: Set<String> = [], _ options: VaultOptions = VaultOptions(), _ added: () throws -> [Protection]
    ) throws {
        try changing {
            let credential = try reopened().credential
            let mark = try checkedMark()
            let added = try added()
            let staying = try status().ways.filter { kept.contains($0.kind) }
            if mark.isBound, !staying.contains(where: \.takesPIN), !added.contains(where: \.takesPIN) {
                throw SignerError.vigil(.unbindFirst)
            }
            var options = options
            options.cost = options.cost ?? unlocking.cost
            let making = try added.map { try taken($0, options.pinPolicy) }
            try marking(mark, becomingBound: mark.isBound) {
                try onKey {
                    try engine.setProtections(
                        keeping: Set(staying.map(\.id)), adding: making, authenticatedBy: credential, options)
                }
            }
            endSessionBehindChange()
        }
    }

    /// A new way to open the vault; the PIN of one that is bound joined with a grant, after it was checked as it was
    /// typed.
    private func taken(_ protection: Protection, _ policy: PINPolicy) throws -> Protection {
        guard let pin = protection.typedPIN, try binding() != nil else { return protection }
        try onKey { try policy.check(pin) }
        return protection.with(pin: try taken(pin))
    }

    /// Sets another PIN; the other ways to open the vault stay, and so does the binding to hardware.
    public func changePIN(_ new: () throws -> SecretBytes) throws {
        let ways = try status().ways
        guard let way = ways.first(where: { $0.kind == "tpm+pin" }) ?? ways.first(where: { $0.kind == "pin" }) else {
            throw SignerError.vaultKey(.noSuchSlot("a PIN"))
        }
        var options = VaultOptions()
        options.allowsNoRecovery = true
        try setProtections(keeping: Set(ways.map(\.kind)).subtracting([way.kind]), options) {
            way.kind == "pin" ? [.pin(try new())] : [.hardwareAndPIN(try new(), way.binding ?? .counter)]
        }
    }

    /// Sets after how long the vault locks.
    public func setAutolock(_ timeout: AutolockTimeout) throws {
        try changing {
            _ = try reopened()
            _ = try checkedMark()
            try onKey { try engine.setAutolock(timeout) }
            endSessionBehindChange()
        }
    }

    /// Unlocks with what the person types now.
    func reopened() throws -> Typed {
        let typed = try waysToOpen().contains("none") ? Typed(.none) : ask(.protections)
        try unlock(typed)
        return typed
    }

    // MARK: Session

    /// How long programs of this login open the vault without being asked; see ``SessionState``.
    public func session() throws -> SessionState {
        try onKey {
            if let obstacle = engine.sessionObstacle { return .impossible(reason: "\(obstacle)") }
            switch try engine.sessionTimeLeft() {
            case nil: return .none
            case .unlimited: return .open(seconds: nil)
            case .limited(let time): return .open(seconds: Int(time.components.seconds))
            }
        }
    }

    /// Lets programs of this login read what is private without asking; seeds are not theirs to use.
    ///
    /// - Parameter minutes: 1 to 10080, and at most the time of autolock, which is taken for nil.
    public func beginSession(minutes: Int?) throws {
        guard (1...10080).contains(minutes ?? 1) else {
            throw SignerError.noSession(reason: "one lasts 1 to 10080 minutes, not \(minutes ?? 0)")
        }
        guard try !waysToOpen().contains("none") else {
            throw SignerError.noSession(reason: "it asks for nothing anyhow")
        }
        if let obstacle = engine.sessionObstacle {
            throw SignerError.noSession(reason: "every command will ask: \(obstacle)")
        }
        // Before a person is asked in vain.
        switch try status().autolock {
        case .always: throw SignerError.noSession(reason: "it locks with each wait, \(Self.ofAutolock)")
        case .minutes(let most) where minutes ?? 0 > most:
            throw SignerError.noSession(
                reason: "one lasts \(most) minutes at the most, \(Self.ofAutolock)")
        case .minutes, .never: break
        }
        try unlock(try ask(.opening))
        // In a bound vault it opens nothing without the validator either.
        let share = try binding().map { try GrantShare.session(grant(of: $0)) }
        try onKey {
            try engine.beginSession(lasting: minutes.map { .seconds(60 * $0) }, joinedWith: share)
        }
    }

    fileprivate static let ofAutolock = "its time of autolock"

    /// Ends the session, and locks every program that has this vault open.
    public func lock() throws {
        try onKey { try engine.endSession() }
    }
}

extension SignerError {
    /// Whether there is no session, or none that long, for the time of autolock alone.
    package var isForAutolock: Bool {
        if case .noSession(let reason) = self { reason.hasSuffix(VaultKey.ofAutolock) } else { false }
    }
}

/// Whether programs of this login open the vault without being asked.
public enum SessionState: Equatable, Sendable {
    /// No session is open.
    case none
    /// They do for this many seconds; until the vault is locked, if no time is given.
    case open(seconds: Int?)
    /// No session can be opened here.
    case impossible(reason: String)
}

extension VaultStatus.Way {
    var takesPIN: Bool { kind == "pin" || kind == "tpm+pin" }
}

extension Protection {
    /// The PIN as a person chose it.
    var typedPIN: SecretBytes? {
        switch self {
        case .pin(let pin), .hardwareAndPIN(let pin, _): pin
        case .none, .hardware, .recovery: nil
        }
    }

    var takesPIN: Bool { typedPIN != nil }

    /// The same with another PIN, where it has one.
    func with(pin: SecretBytes) -> Protection {
        switch self {
        case .pin: .pin(pin)
        case .hardwareAndPIN(_, let binding): .hardwareAndPIN(pin, binding)
        case .none, .hardware, .recovery: self
        }
    }
}

/// Runs what the key does, with its failure as one of the vault.
func onKey<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as MainKeyError { throw SignerError.vaultKey(error) }
}
