import Foundation
import MainKey
import SecretMemory
import Synchronization

/// The MainKey of a vault: opened when something private is needed, gone again when the vault locks.
///
/// Work happens between two waits for a person or a camera. The time of autolock runs while the program waits, and a vault that
/// locked meanwhile asks again.
public final class VaultKey: Sendable {
    private struct State {
        /// Whether a person opened it since it was last locked, and not a session.
        var isConfirmed = false
        var wasUnlocked = false
        /// How many uses are under way, one in the other.
        var depth = 0
    }

    let engine: VaultEngine
    let unlocking: Unlocking
    private let state = Mutex(State())
    /// nil where the system has no watch left: then only this process's own clock locks.
    private let watch: VaultWatch?

    static func folder(of vault: URL) -> URL { vault.appending(path: "key") }

    /// Opens the key of a vault without unlocking it.
    public convenience init(of vault: URL, _ unlocking: Unlocking) throws {
        guard Vault.exists(in: vault) else { throw SignerError.dbNotInitialized(folder: vault.path) }
        guard !VaultMigration.isNeeded(in: vault) else { throw SignerError.firstKind(folder: vault.path) }
        try self.init(at: Self.folder(of: vault), unlocking)
    }

    convenience init(at folder: URL, _ unlocking: Unlocking) throws(SignerError) {
        self.init(
            try onKey { () throws(MainKeyError) in try VaultEngine.open(at: folder.path, unlocking.options) }, unlocking
        )
    }

    /// - Parameter engine: of a vault that was just made, and is unlocked.
    init(_ engine: VaultEngine, _ unlocking: Unlocking) {
        self.engine = engine
        self.unlocking = unlocking
        watch = try? VaultWatch(engine)
        if engine.phase == .unlocked { noteUnlocked(isConfirmed: true) }
    }

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

    /// Makes sure that a person opened the vault in this process, as what touches seeds asks for.
    public func confirm() throws {
        try unlock()
        guard !isConfirmed else { return }
        let credential = try ask(.seeds)
        // Not unlocked anew: what is in use stays usable.
        try onKey { () throws(MainKeyError) in try engine.verify(credential) }
        noteUnlocked(isConfirmed: true)
    }

    /// Whether it is open, and a person opened it.
    var isConfirmed: Bool { isUnlocked && state.withLock { $0.isConfirmed } }

    /// Counts the time that `body` waits for a person or a device for autolock.
    func whileWaiting<R>(_ body: () throws -> R) rethrows -> R { try engine.whileWaiting(body) }

    /// Also asks the clock, which may be ahead of its timer after the machine slept.
    private var isUnlocked: Bool { (try? engine.withUnlocked { _ in }) != nil }

    private func unlock() throws {
        guard !isUnlocked else { return }
        let (depth, isFirst) = state.withLock { ($0.depth, !$0.wasUnlocked) }
        // Locked in the middle of a use: its keys are gone, and asking would not bring them back.
        guard depth == 0 else { throw SignerError.vaultKey(.locked) }
        let ways = try waysToOpen()
        if ways.contains("none") {
            try unlock(.none)
        } else if ways.contains("tpm") {
            try unlock(.hardware)
        } else if isFirst, try isOpenedBySession() {
            noteUnlocked(isConfirmed: false)
        } else {
            try unlock(try ask(isFirst ? .opening : .lockedMeanwhile))
        }
    }

    /// Without its TPM a vault is still opened by the recovery code, so that is no reason not to ask.
    private func isOpenedBySession() throws -> Bool {
        do throws(MainKeyError) { return try engine.unlockBySession() } catch {
            if case .hardwareUnavailable = error { return false }
            throw SignerError.vaultKey(error)
        }
    }

    private func unlock(_ credential: Credential) throws {
        try onKey { () throws(MainKeyError) in try engine.unlock(credential) }
        noteUnlocked(isConfirmed: true)
    }

    private func noteUnlocked(isConfirmed: Bool) {
        state.withLock { state in
            state.isConfirmed = isConfirmed
            state.wasUnlocked = true
        }
    }

    private func waysToOpen() throws(SignerError) -> Set<String> { Set(try status().ways.map(\.kind)) }

    private func ask(_ reason: CredentialRequest.Reason) throws -> Credential {
        let status = try status()
        let ways = Set(status.ways.map(\.kind))
        // Said before anything is typed.
        if status.secondsToWait > 0 { throw SignerError.vaultKey(.throttled(seconds: status.secondsToWait)) }
        let takesPIN = ways.contains("pin") || ways.contains("tpm+pin")
        let typed = try unlocking.credential(
            CredentialRequest(reason: reason, takesPIN: takesPIN, takesRecoveryCode: ways.contains("recovery")))
        switch typed {
        case .pin(let pin): return ways.contains("tpm+pin") ? .hardwareAndPIN(pin) : .pin(pin)
        case .recoveryCode(let code):
            return .recovery(try onKey { () throws(MainKeyError) in try RecoveryCode(typed: code) })
        }
    }

    /// Who alone finds the rows and seeds of a vault: the signer.
    static let owner = "casemate"

    static func owned(_ options: VaultOptions) -> VaultOptions {
        var options = options
        options.owner = owner
        return options
    }

    // MARK: Settings

    /// What can be said of the key without any secret.
    public func status() throws(SignerError) -> VaultStatus {
        try onKey { () throws(MainKeyError) in try engine.status() }
    }

    /// Replaces ways to open the vault in one step, after the person showed to be allowed to. Ends the session.
    ///
    /// - Parameters:
    ///   - kept: kinds of ways that stay.
    ///   - added: asked for when the person has shown it.
    public func setProtections(
        keeping kept: Set<String> = [], _ options: VaultOptions = VaultOptions(), _ added: () throws -> [Protection]
    ) throws {
        let credential = try reopened()
        let added = try added()
        let staying = try status().ways.filter { kept.contains($0.kind) }.map(\.id)
        var options = options
        options.cost = options.cost ?? unlocking.cost
        try onKey { () throws(MainKeyError) in
            try engine.replaceProtections(
                keeping: Set(staying), adding: added, authenticatedBy: credential, options)
            try engine.endSession()
        }
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
        _ = try reopened()
        try onKey { () throws(MainKeyError) in
            try engine.setAutolock(timeout)
            try engine.endSession()
        }
    }

    /// Unlocks with what the person types now.
    func reopened() throws -> Credential {
        let credential = try waysToOpen().contains("none") ? .none : ask(.protections)
        try unlock(credential)
        return credential
    }

    // MARK: Session

    /// Until when programs of this login open the vault without being asked; see ``SessionState``.
    public func session() throws(SignerError) -> SessionState {
        try onKey { () throws(MainKeyError) in
            if let obstacle = engine.sessionObstacle() { return .impossible(reason: "\(obstacle)") }
            guard let milliseconds = try engine.sessionTimeLeft() else { return .none }
            return .open(seconds: milliseconds == .max ? nil : Int(milliseconds / 1000))
        }
    }

    /// Lets programs of this login read what is private without asking; seeds are not theirs to use.
    ///
    /// - Parameter minutes: 1 to 10080, and at most the time of autolock, which is taken for nil.
    public func beginSession(minutes: Int?) throws {
        guard (1...10080).contains(minutes ?? 1) else {
            throw SignerError.noSession(reason: "it lasts 1 to 10080 minutes, not \(minutes ?? 0)")
        }
        guard try !waysToOpen().contains("none") else {
            throw SignerError.noSession(reason: "it asks for nothing anyhow")
        }
        if let obstacle = engine.sessionObstacle() {
            throw SignerError.noSession(reason: "every command will ask: \(obstacle)")
        }
        try unlock(try ask(.opening))
        try onKey { () throws(MainKeyError) in
            try engine.beginSession(lasting: minutes.map { .seconds(60 * $0) })
        }
    }

    /// Ends the session, and locks every program that has this vault open.
    public func lock() throws(SignerError) {
        try onKey { () throws(MainKeyError) in try engine.endSession() }
    }
}

/// Whether programs of this login open the vault without being asked.
public enum SessionState: Equatable, Sendable {
    case none
    /// Until it is locked, if no time is given.
    case open(seconds: Int?)
    case impossible(reason: String)
}

/// Runs what the key does, with its failure as one of the vault.
func onKey<R>(_ body: () throws(MainKeyError) -> R) throws(SignerError) -> R {
    do throws(MainKeyError) { return try body() } catch { throw .vaultKey(error) }
}
