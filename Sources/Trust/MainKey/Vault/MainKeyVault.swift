import Dispatch
import Foundation
import SecretMemory

/// Local data of an application at rest, encrypted under one key that is not stored in any place where it can be
/// stolen.
///
///     let vault = try await MainKeyVault.create(at: "/home/anna/.local/share/app/vault", [.pin(pin), .recovery(code)])
///     let sealed = try await vault.withUnlocked { try $0.seal("anna@example.org", .token("session")) }
///     await vault.lock()
///
/// What waits for the disk, the hardware or Argon2id runs on a thread of the vault's own. Nothing here ever hands out a
/// key.
///
/// Source: seed 004; `mainkey` sections 13 to 16 and 27.
public actor MainKeyVault {
    /// The same for synchronous callers.
    package nonisolated let engine: VaultEngine
    private nonisolated let executor: ThreadExecutor
    private let watch: VaultWatch

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init(_ engine: VaultEngine, on executor: ThreadExecutor) throws(MainKeyError) {
        self.engine = engine
        self.executor = executor
        watch = try VaultWatch(engine)
    }

    /// Makes a vault and unlocks it.
    ///
    /// - Parameters:
    ///   - path: a folder without a vault, of this user alone. It is made if it does not exist; what else is in it
    ///     stays.
    ///   - protections: 1 to 8; each opens the vault.
    /// - Throws: `configError` if there is a vault already or the protections do not go together, `weakPIN`, `io`,
    ///   those of the hardware.
    public static func create(
        at path: String, _ protections: [Protection], _ options: VaultOptions = VaultOptions(),
        opening: OpenOptions = OpenOptions()
    ) async throws -> MainKeyVault {
        let executor = ThreadExecutor()
        return try await executor.run {
            try MainKeyVault(try VaultEngine.create(at: path, protections, options, opening), on: executor)
        }
    }

    /// Opens a vault without unlocking it, to use it, and puts right what a crash left. Never makes one.
    ///
    /// - Throws: `notFound`, what is wrong with the key file, `recoverable`, `configError` and `io` for the folder.
    public static func open(at path: String, _ options: OpenOptions = OpenOptions()) async throws -> MainKeyVault {
        let executor = ThreadExecutor()
        return try await executor.run {
            try MainKeyVault(try VaultEngine.open(at: path, options), on: executor)
        }
    }

    /// The ways to open a vault, the settings and the attempts that are left, without changing anything on the disk.
    ///
    /// - Throws: as ``open(at:_:)``; `notFound` also while a wipe of it is not finished.
    public static func status(at path: String, _ options: OpenOptions = OpenOptions()) async throws -> VaultStatus {
        try await ThreadExecutor().run { try VaultEngine.look(at: path, options).status(asksHardware: true) }
    }

    /// Every subscriber gets all events from now on, and first, while the vault is locked and needs a credential,
    /// ``MainKeyEvent/requestMainKey``. They are also posted to the default notification centre, named as
    /// ``MainKeyEvent/name`` says, with the event under the key `event`.
    public nonisolated var events: AsyncStream<MainKeyEvent> { engine.events }

    public nonisolated var state: VaultState { engine.phase }

    /// Unlocks the vault. Wrong credentials are counted, together with those that other processes try.
    ///
    /// - Throws: `noSuchSlot`, `wrongCredential`, `throttled`, `attemptsExhausted`, `tampered`, `rolledBack`, those of
    ///   the hardware, `busy`, `io`; `locked` if somebody asked to lock in the meantime.
    public func unlock(_ credential: Credential) throws(MainKeyError) { try engine.unlock(credential) }

    /// Removes the key from memory. What is in the middle of something gets two seconds to end; an unlocking fails.
    public nonisolated func lock() { engine.lock() }

    /// Tells the vault what happens around it, for ``OpenOptions/autolockMode`` to lock by.
    public nonisolated func note(_ event: AutolockEvent) { engine.note(event.event) }

    /// Lends the unlocked vault for the time of `body`, on the caller's thread: any number may do so at once.
    ///
    /// - Throws: `locked`, or what `body` throws.
    public nonisolated func withUnlocked<R>(_ body: (borrowing UnlockedVault) throws -> R) throws -> R {
        try engine.withUnlocked(body)
    }

    /// Checks a credential and everything behind it, counts the attempt, and changes nothing else.
    public func verify(_ credential: Credential) throws(MainKeyError) { try engine.verify(credential) }

    /// The ways to open the vault, the settings and the attempts that are left; needs no secret.
    public func status() throws(MainKeyError) -> VaultStatus { try engine.status(asksHardware: true) }

    /// Replaces ways to open the vault in one step.
    ///
    /// - Parameters:
    ///   - kept: numbers of slots that stay.
    ///   - credential: one that opens the vault now.
    public func setProtections(
        keeping kept: Set<UInt32> = [], _ added: [Protection], authenticatedBy credential: Credential,
        _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try engine.replaceProtections(keeping: kept, adding: added, authenticatedBy: credential, options)
    }

    /// Changes the PIN; the other ways to open the vault stay.
    public func changePIN(
        from old: SecretBytes, to new: SecretBytes, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try engine.changePIN(from: old, to: new, options)
    }

    public func setAutolock(_ timeout: AutolockTimeout) throws(MainKeyError) { try engine.setAutolock(timeout) }

    /// Seals everything in `places` anew under a new key and forgets the old ones. Run it again after a crash.
    ///
    /// - Parameters:
    ///   - places: all that the application has; values elsewhere could not be opened any more.
    ///   - owner: the application, where the vault was made with ``VaultOptions/owner``; refused for any other.
    /// - Throws: `configError` for a vault of another application, `locked`, `io`, what the places throw.
    public func rotate(
        _ places: sending [any RotationPlace], by owner: String? = nil, keepsOldEpoch: Bool = false,
        progress: @Sendable (RotationProgress) -> Void = { _ in }
    ) throws {
        try engine.rotate(places, by: owner, keepsOldEpoch: keepsOldEpoch, progress: progress)
    }

    /// A new MainKey, after a PIN became known: all ways to open the vault are made anew. Rotate afterwards.
    public func rekey(
        _ protections: [Protection], authenticatedBy credential: Credential, _ options: VaultOptions = VaultOptions()
    ) throws(MainKeyError) {
        try engine.rekey(protections, authenticatedBy: credential, options)
    }

    /// Destroys every key, so that no data of the vault can be opened by anybody, and then what is left of the vault.
    ///
    /// - Parameter data: folders and files of the application to remove too.
    /// - Returns: what could not be removed from the hardware, in words.
    @discardableResult
    public func wipe(data: [String] = []) throws(MainKeyError) -> [String] { try engine.wipe(data: data) }
}

/// What happens around an application that has a window.
public enum AutolockEvent: Sendable {
    case background, foreground
    /// The session's screen was locked.
    case systemLock
    /// The machine goes to sleep, or is awake again.
    case sleep, resume

    var event: AutolockState.Event {
        switch self {
        case .background: .background
        case .foreground: .foreground
        case .systemLock: .systemLock
        case .sleep: .sleep
        case .resume: .resume
        }
    }
}

/// Runs an actor on a queue of its own, so that waiting for Argon2id or the hardware stops nobody else.
final class ThreadExecutor: SerialExecutor {
    private let queue = DispatchQueue(label: "casemate.mainkey.vault")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func run<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
