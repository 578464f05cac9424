/// What hears that the session's screen is locked and that the machine goes to sleep: of `MainKeyLogind`, systemd's
/// logind.
public protocol LockSignals: Sendable {
    /// Begins to listen for a vault, at once and without waiting for anybody.
    ///
    /// - Parameter told: called on a thread of the listener's own, one event after the other.
    func listen(_ told: @escaping @Sendable (AutolockEvent) -> Void) -> any LockListening
    /// Whether the session's screen is locked now, when a session of the vault is to open it; false where that is not
    /// known.
    func isScreenLocked() -> Bool
}

extension LockSignals {
    public func isScreenLocked() -> Bool { false }
}

/// A listening for one vault. It ends with its last reference.
public protocol LockListening: AnyObject, Sendable {
    /// Keys come into memory, or are about to: the machine is not to sleep before ``keysAreGone()`` is called as often.
    func keysAppear()
    /// Notes that the keys are zeroised.
    func keysAreGone()
}

extension VaultEngine {
    /// Listens for as long as the vault is open, if the opening gave something to listen to.
    func listen() {
        guard !changesNothing, let signals = options.lockSignals else { return }
        let listening = signals.listen { [weak self] in self?.heard($0) }
        self.listening.withLock { $0 = listening }
    }

    private func heard(_ event: AutolockEvent) {
        note(event.event)
        // What other programs of this login would open the vault with goes too; those that have it open hear for
        // themselves.
        switch event {
        case .systemLock: removeSessionKey()
        case .sleep where options.locksOnSleep: removeSessionKey()
        default: break
        }
    }

    /// Notes that keys are in memory: sleep that locks waits for them.
    func keysAppear() {
        if options.locksOnSleep { listening.withLock { $0 }?.keysAppear() }
    }

    func keysAreGone() {
        if options.locksOnSleep { listening.withLock { $0 }?.keysAreGone() }
    }
}
