import BasicFoundation
import Dispatch
import SecretMemory
import Synchronization
import Threads

/// What this process knows of a vault: its key file, the key while it is unlocked, and the rules by which it locks.
///
/// What is decided and what the timer is set to change together, under the lock of the state: of two threads the later
/// one has the last word on both.
final class VaultMemory: Sendable {
    /// What is in the middle of something when the vault locks gets so long to end.
    private static let grace = DispatchTimeInterval.seconds(2)

    private struct State {
        var phase: VaultState
        var file: KeyFile
        var unlocked: UnlockedKeys?
        var autolock: AutolockState
        /// How often somebody asked to lock, so that an unlocking notices who asked after it began.
        var lockRequests: UInt64 = 0

        /// When the vault locks if nothing happens: by the rules of locking, or with the session that unlocked it.
        var deadline: UInt64? {
            [autolock.deadline, unlocked?.deadline].compactMap { $0 == .max ? nil : $0 }.min()
        }

        /// What an event means, also for an unlocking that is under way.
        mutating func reasonToLock(_ event: AutolockState.Event, at now: UInt64) -> LockReason? {
            if autolock.asksToLock(event) { lockRequests += 1 }
            if let cause = autolock.handle(event, at: now) { return LockReason(cause) }
            guard let end = unlocked?.deadline, now >= end else { return nil }
            return .timeout
        }
    }

    /// Long operations run one after the other; locking and what an unlocked vault does wait for none of them.
    let turns = Condition()
    let hub: EventHub
    let cleartext: CleartextFiles
    private let options: OpenOptions
    private let sessionKey: SessionKey
    private let leases = Leases()
    private let timer = AutolockTimer()
    /// The connection that hears of the screen and of sleep; nil where neither is listened to.
    private let listening = Mutex<(any LockListening)?>(nil)
    private let state: Mutex<State>

    init(_ file: KeyFile, _ options: OpenOptions, hub: EventHub, sessionKey: SessionKey) {
        self.options = options
        self.hub = hub
        self.sessionKey = sessionKey
        cleartext = CleartextFiles(of: file.vault)
        state = Mutex(State(phase: .locked, file: file, autolock: options.autolock(of: file)))
        timer.onFire { [weak self] in self?.note(.timer) }
    }

    deinit {
        timer.cancel()
        if let unlocked = state.withLock({ $0.unlocked }) { unlocked.keys.destroy() }
    }

    // MARK: What is known

    var phase: VaultState { state.withLock { $0.phase } }

    /// The key file as this process knows it.
    var file: KeyFile { state.withLock { $0.file } }

    /// Events from now on; first, while the vault is locked, that it needs a credential.
    var events: AsyncStream<MainKeyEvent> {
        hub.stream {
            state.withLock { $0.phase == .locked && $0.file.slots(of: .none).isEmpty ? .requestMainKey : nil }
        }
    }

    /// Everything that is unlocked, or `locked`; for a vault that was wiped or failed, what unlocking it throws.
    func unlocked() throws(MainKeyError) -> (file: KeyFile, keys: UnlockedKeys) {
        let (found, phase) = state.withLock { state in (state.unlocked.map { (state.file, $0) }, state.phase) }
        guard let found else { throw Self.refusal(phase) }
        if let deadline = found.1.deadline, BootInstant.milliseconds() >= deadline {
            note(.timer)
            throw .locked
        }
        return found
    }

    /// The same after the rules of locking had their say.
    func used() throws(MainKeyError) -> (file: KeyFile, keys: UnlockedKeys) {
        note(.access)
        return try unlocked()
    }

    /// The key file with what is unlocked, whatever the phase and the clocks say.
    var held: (file: KeyFile, keys: UnlockedKeys?) { state.withLock { ($0.file, $0.unlocked) } }

    /// How often somebody asked to lock.
    var lockRequests: UInt64 { state.withLock { $0.lockRequests } }

    /// What the timer is set to, and what the state says that it has to be; the same at any moment.
    var deadlines: (timer: UInt64?, state: UInt64?) { state.withLock { (timer.deadline, $0.deadline) } }

    /// Why there is no key in a phase.
    private static func refusal(_ phase: VaultState) -> MainKeyError {
        switch phase {
        case .locked, .unlocking, .unlocked: .locked
        case .failed(let error): error
        case .wiped: .notFound("vault any more: it was wiped")
        }
    }

    // MARK: Use

    /// Lends the unlocked vault for the time of `body`.
    ///
    /// - Parameter files: the encrypted files that it lists.
    /// - Throws: `locked`, also when the time for using it has just run out.
    func withUnlocked<R>(_ files: VaultFiles, _ body: (borrowing UnlockedVault) throws -> R) throws -> R {
        let keys = try used().keys.keys
        leases.take()
        defer {
            leases.giveBack()
            note(.scopeEnd)
        }
        let vault = UnlockedVault(keys: keys, files: files)
        return try body(vault)
    }

    /// Tells the rules of locking what happened.
    func note(_ event: AutolockState.Event) {
        let (reason, removed) = state.withLock { state -> (LockReason?, Removed?) in
            guard let reason = state.reasonToLock(event, at: BootInstant.milliseconds()) else {
                timer.schedule(at: state.deadline)
                return (nil, nil)
            }
            return (reason, removeKeys(from: &state, reason))
        }
        if let reason { forget(removed, reason) }
    }

    // MARK: Locking

    /// Removes the key from memory. An unlocking that is under way ends with `locked`.
    func lock(_ reason: LockReason) {
        forget(state.withLock { removeKeys(from: &$0, reason) }, reason)
    }

    /// Removes the key from memory for good: what is on disk is not what this process knows, and has to be opened anew.
    ///
    /// - Parameter error: `rolledBack` or `tampered`, for which reason it also locks.
    func fail(_ error: MainKeyError) {
        let reason = if case .rolledBack = error { LockReason.rolledBack } else { LockReason.tampered }
        let removed = state.withLock { state in
            let removed = removeKeys(from: &state, reason)
            if state.phase != .wiped { state.phase = .failed(error) }
            return removed
        }
        forget(removed, reason)
    }

    /// Keys that nobody finds any more, and when that is told.
    private struct Removed {
        let keys: EpochKeys
        let place: EventHub.Place
    }

    private func removeKeys(from state: inout State, _ reason: LockReason) -> Removed? {
        if reason.isRequest { state.lockRequests += 1 }
        state.autolock.handle(.lock, at: BootInstant.milliseconds())
        if state.phase == .unlocked || reason == .wiped { state.phase = reason == .wiped ? .wiped : .locked }
        timer.schedule(at: nil)
        defer { state.unlocked = nil }
        return state.unlocked.map { Removed(keys: $0.keys, place: hub.takePlace()) }
    }

    private func forget(_ removed: Removed?, _ reason: LockReason) {
        if reason == .wiped { sessionKey.remove() }
        guard let removed else { return }
        let listening = options.locksOnSleep ? listening.withLock { $0 } : nil
        // Not all of it: the MainKey itself is in nobody's use.
        leases.whenFree(within: Self.grace) { [keys = removed.keys] in
            keys.destroy()
            listening?.keysAreGone()
        }
        try? cleartext.removeAll()
        hub.post(.removedMainKeyFromMemory(reason), at: removed.place)
    }

    // MARK: Unlocking

    /// Runs an unlocking when no other operation runs.
    ///
    /// - Parameter body: given how often somebody had asked to lock, for ``install(_:of:unlessAskedToLockSince:)``.
    func unlocking<R>(_ body: (_ requests: UInt64) throws(MainKeyError) -> R) throws(MainKeyError) -> R {
        // Before it waits: who asks to lock meanwhile means this unlocking too.
        let requests = lockRequests
        turns.lock()
        defer { turns.unlock() }
        // What is typed and what it opens is in memory from here on.
        keysAppear()
        defer { keysAreGone() }
        let before = state.withLock { state in
            defer { if state.phase == .locked { state.phase = .unlocking } }
            return state.phase
        }
        guard before == .locked || before == .unlocked else { throw Self.refusal(before) }
        let result = Result { () throws(MainKeyError) in try body(requests) }
        state.withLock { if $0.phase == .unlocking { $0.phase = .locked } }
        if case .failure(let error) = result {
            if error.isAboutForgery { fail(error) }
            hub.post(.errorObtainingMainKey(error))
        }
        return try result.get()
    }

    /// The keys of a file that was verified.
    func epochKeys(_ keys: [UInt32: SecretBytes], of file: KeyFile) -> EpochKeys {
        EpochKeys(keys, active: file.activeEpoch, vault: file.vault) { [hub] place in hub.post(.rotateSoon(place)) }
    }

    /// Makes the keys usable that a credential opened.
    ///
    /// - Parameter requests: nil for a vault that was just made, which nobody can have asked to lock.
    /// - Throws: `locked` if somebody asked to lock in the meantime.
    func install(
        _ unlocked: UnlockedKeys, of file: KeyFile, unlessAskedToLockSince requests: UInt64?
    ) throws(MainKeyError) {
        let (place, old) = state.withLock { state -> (EventHub.Place?, UnlockedKeys?) in
            guard state.lockRequests == requests ?? state.lockRequests else { return (nil, nil) }
            let old = state.unlocked
            // Before whoever locks can find them.
            if old == nil { keysAppear() }
            state.unlocked = unlocked
            state.file = file
            state.phase = .unlocked
            state.autolock = options.autolock(of: file)
            state.autolock.handle(.unlock, at: BootInstant.milliseconds())
            timer.schedule(at: state.deadline)
            return (hub.takePlace(), old)
        }
        guard let place else {
            unlocked.keys.destroy()
            throw .locked
        }
        if let old { leases.whenFree(within: Self.grace) { old.keys.destroy() } }
        if (try? SecretMemoryStatus.current().isLocked) != true { hub.post(.memoryNotLocked) }
        hub.post(.obtainedMainKey, at: place)
    }

    // MARK: Changes

    /// Takes over a file that was committed under the MainKey in memory.
    func adopt(_ file: KeyFile, _ unlocked: UnlockedKeys) throws(MainKeyError) {
        var epochs: [UInt32: SecretBytes] = [:]
        for record in file.epochs { epochs[record.epoch] = try record.open(under: unlocked.secrets) }
        unlocked.keys.replace(epochs, active: file.activeEpoch)
        let timeout = options.timeout(of: file)
        let isNewTimeout = state.withLock { state in
            state.file = file
            return state.autolock.timeout != timeout
        }
        if isNewTimeout { note(.set(timeout)) }
        hub.post(.changed(generation: file.generation))
    }

    /// Goes on with another MainKey, or another slot, if the vault is still unlocked.
    func replace(by renewed: UnlockedKeys) {
        state.withLock { state in if state.unlocked != nil { state.unlocked = renewed } }
    }

    /// Knows a file that another process wrote, while the vault is locked or is about to lock.
    func know(_ file: KeyFile) { state.withLock { $0.file = file } }

    // MARK: The screen and sleep

    /// Listens for as long as the vault is open, if the opening gave something to listen to.
    func listen() {
        guard let signals = options.lockSignals else { return }
        let listening = signals.listen { [weak self] in self?.heard($0) }
        self.listening.withLock { $0 = listening }
    }

    private func heard(_ event: AutolockEvent) {
        note(event.event)
        // What other programs of this login would open the vault with goes too; those that have it open hear for
        // themselves.
        switch event {
        case .systemLock: sessionKey.remove()
        case .sleep where options.locksOnSleep: sessionKey.remove()
        default: break
        }
    }

    /// Notes that keys are in memory: sleep that locks waits for them.
    private func keysAppear() {
        if options.locksOnSleep { listening.withLock { $0 }?.keysAppear() }
    }

    private func keysAreGone() {
        if options.locksOnSleep { listening.withLock { $0 }?.keysAreGone() }
    }
}

extension OpenOptions {
    /// The rules of locking, as the vault and this opening set them.
    fileprivate func autolock(of file: KeyFile) -> AutolockState {
        AutolockState(mode: autolockMode, timeout: timeout(of: file), locksOnSleep: locksOnSleep)
    }

    /// The time that counts for this opening.
    fileprivate func timeout(of file: KeyFile) -> AutolockTimeout {
        file.autolock == .always ? alwaysCountsAs : file.autolock
    }
}

extension KeyFile {
    /// The parser checked the range.
    var autolock: AutolockTimeout { AutolockTimeout(rawValue: Int(autolockMinutes)) ?? .always }
}

extension MainKeyError {
    /// Whether what is on disk was changed or put back by somebody.
    fileprivate var isAboutForgery: Bool {
        switch self {
        case .tampered, .rolledBack: true
        default: false
        }
    }
}

extension LockReason {
    /// Whether it holds for an unlocking under way too. The end of a time or of a use is about the keys of before, and
    /// so is a file that another process changed, which the unlocking judges by itself.
    fileprivate var isRequest: Bool {
        switch self {
        case .explicit, .background, .systemLock, .sleep, .clockWentBack, .wiped: true
        case .timeout, .scopeEnd, .rekeyed, .rolledBack, .tampered: false
        }
    }
}
