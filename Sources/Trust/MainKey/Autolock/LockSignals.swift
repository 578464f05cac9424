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
    /// Says that it is not known.
    public func isScreenLocked() -> Bool { false }
}

/// A listening for one vault. It ends with its last reference.
public protocol LockListening: AnyObject, Sendable {
    /// Keys come into memory, or are about to: the machine is not to sleep before ``keysAreGone()`` is called as often.
    func keysAppear()
    /// Notes that the keys are zeroised.
    func keysAreGone()
}
