import Dispatch
import SecretMemory

/// How the key comes into memory and goes. What is decided and what the timer is set to change together, under the lock
/// of the state: of two threads the later one has the last word on both.
extension VaultEngine {
    /// What is in the middle of something when the vault locks gets so long to end.
    private static let grace = DispatchTimeInterval.seconds(2)

    /// Removes the key from memory. An unlocking that is under way ends with `locked`.
    package func lock(_ reason: LockReason = .explicit) {
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

    /// Tells the rules of locking what happened.
    func note(_ event: AutolockState.Event) {
        let (reason, removed) = state.withLock { state -> (LockReason?, Unlocked?) in
            guard let reason = state.reasonToLock(event, at: BootInstant.milliseconds()) else {
                timer.schedule(at: state.deadline)
                return (nil, nil)
            }
            return (reason, removeKeys(from: &state, reason))
        }
        if let reason { forget(removed, reason) }
    }

    private func removeKeys(from state: inout State, _ reason: LockReason) -> Unlocked? {
        if reason.isRequest { state.lockRequests += 1 }
        state.autolock.handle(.lock, at: BootInstant.milliseconds())
        if state.phase == .unlocked || reason == .wiped { state.phase = reason == .wiped ? .wiped : .locked }
        timer.schedule(at: nil)
        defer { state.unlocked = nil }
        return state.unlocked
    }

    private func forget(_ unlocked: Unlocked?, _ reason: LockReason) {
        if reason == .wiped { removeSessionKey() }
        guard let unlocked else { return }
        let listening = options.locksOnSleep ? listening.withLock { $0 } : nil
        // Not all of it: the MainKey itself is in nobody's use.
        leases.whenFree(within: Self.grace) { [keys = unlocked.keys] in
            keys.destroy()
            listening?.keysAreGone()
        }
        try? cleartext.removeAll()
        hub.post(.removedMainKeyFromMemory(reason))
    }

    /// Runs an unlocking when no other operation runs.
    ///
    /// - Parameter body: given how often somebody had asked to lock, for ``install(_:_:unlessAskedToLockSince:)``.
    func unlocking<R>(_ body: (_ requests: UInt64) throws(MainKeyError) -> R) throws(MainKeyError) -> R {
        // Before it waits: who asks to lock meanwhile means this unlocking too.
        let requests = state.withLock { $0.lockRequests }
        return try exclusively { () throws(MainKeyError) in
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
    }

    /// Why there is no key in a phase.
    static func refusal(_ phase: VaultState) -> MainKeyError {
        switch phase {
        case .locked, .unlocking, .unlocked: .locked
        case .failed(let error): error
        case .wiped: .notFound("vault any more: it was wiped")
        }
    }

    /// Makes the keys usable that a credential opened.
    ///
    /// - Throws: `locked` if somebody asked to lock in the meantime.
    func install(
        _ unlocked: Unlocked, _ file: KeyFile, unlessAskedToLockSince requests: UInt64
    ) throws(MainKeyError) {
        guard take(unlocked, file, unlessAskedToLockSince: requests) else {
            unlocked.keys.destroy()
            throw .locked
        }
    }

    /// The same for a vault that was just made, which nobody can have asked to lock.
    func install(_ unlocked: Unlocked, _ file: KeyFile) {
        _ = take(unlocked, file, unlessAskedToLockSince: nil)
    }

    private func take(_ unlocked: Unlocked, _ file: KeyFile, unlessAskedToLockSince requests: UInt64?) -> Bool {
        let (isTaken, old) = state.withLock { state -> (Bool, Unlocked?) in
            guard state.lockRequests == requests ?? state.lockRequests else { return (false, nil) }
            let old = state.unlocked
            // Before whoever locks can find them.
            if old == nil { keysAppear() }
            state.unlocked = unlocked
            state.file = file
            state.phase = .unlocked
            state.autolock = options.autolock(of: file)
            state.autolock.handle(.unlock, at: BootInstant.milliseconds())
            timer.schedule(at: state.deadline)
            return (true, old)
        }
        guard isTaken else { return false }
        if let old { leases.whenFree(within: Self.grace) { old.keys.destroy() } }
        if (try? SecretMemoryStatus.current().isLocked) != true { hub.post(.memoryNotLocked) }
        hub.post(.obtainedMainKey)
        return true
    }
}

extension VaultEngine.State {
    /// Whether a person has to do something to unlock the vault.
    var needsCredential: Bool { phase == .locked && file.slots(of: .none).isEmpty }

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
