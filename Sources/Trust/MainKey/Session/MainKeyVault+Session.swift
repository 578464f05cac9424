import SecretMemory

/// Sessions: programs of one login share an unlocked vault without handing the key to each other.
extension MainKeyVault {
    /// Lets programs of this login unlock without a credential from now on.
    ///
    /// - Parameters:
    ///   - time: more than none, and at most the time of autolock, or a week where that is `never`; nil takes the time
    ///     of autolock, or no end.
    ///   - share: the session opens nothing without it; nil for a session that needs no more than this login.
    /// - Throws: `locked`; `configError` where the vault locks after each use, for another time, or where the kernel
    ///   has no keyring; `busy`.
    package func beginSession(lasting time: Duration?, joinedWith share: SecretBytes? = nil) throws(MainKeyError) {
        try session.begin(lasting: time, joinedWith: share)
    }

    /// Unlocks by the session of this login. A ticket that does not hold is removed; one of another login of the same
    /// user, whose key is not in this one's keyring, stays, and so does one that could not be looked at.
    ///
    /// - Parameter share: with which the session was begun.
    /// - Returns: whether there is a session.
    /// - Throws: `locked` if somebody asked to lock in the meantime; what is wrong with the vault; `busy`, `io`, those
    ///   of the hardware.
    package func unlockBySession(joinedWith share: SecretBytes? = nil) throws(MainKeyError) -> Bool {
        try session.unlock(joinedWith: share)
    }

    /// Locks, ends the session, and tells every process that has this vault open to lock. Where something fails, the
    /// rest is done all the same.
    ///
    /// - Throws: what failed: `busy`, `io`.
    package func endSession() throws(MainKeyError) { try session.end() }

    /// How often somebody has asked to lock the vault: a person, a program, the screen's lock, or sleep.
    package var lockRequests: UInt64 { memory.lockRequests }

    /// How long the session goes on.
    ///
    /// - Returns: nil if there is none that this login can use.
    package func sessionTimeLeft() throws(MainKeyError) -> SessionTime? {
        try session.timeLeft().map { $0 == .max ? .unlimited : .limited(.milliseconds($0)) }
    }

    /// Why this machine offers no sessions; nil if it does.
    package var sessionObstacle: MainKeyError? { session.key.obstacle }
}

/// How long a session goes on.
package enum SessionTime: Equatable, Sendable {
    /// Until somebody locks, or the login ends.
    case unlimited
    case limited(Duration)
}
