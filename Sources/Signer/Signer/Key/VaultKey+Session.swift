import MainKey

/// Whether programs of this login open the vault without being asked.
public enum SessionState: Equatable, Sendable {
    /// No session is open.
    case none
    /// They do for this many seconds; until the vault is locked, if no time is given.
    case open(seconds: Int?)
    /// No session can be opened here.
    case impossible(reason: String)
}

extension VaultKey {
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
        case .always:
            throw SignerError.noSession(reason: "it locks with each wait, its time of autolock", isForAutolock: true)
        case .minutes(let most) where minutes ?? 0 > most:
            throw SignerError.noSession(
                reason: "one lasts \(most) minutes at the most, its time of autolock", isForAutolock: true)
        case .minutes, .never: break
        }
        try unlock(try ask(.opening))
        // In a bound vault it opens nothing without the validator either.
        let share = try binding().map { try GrantShare.session(grant(of: $0)) }
        try onKey {
            try engine.beginSession(lasting: minutes.map { .seconds(60 * $0) }, joinedWith: share)
        }
    }

    /// Ends the session, and locks every program that has this vault open.
    public func lock() throws {
        try onKey { try engine.endSession() }
    }

    /// Whether a session of this login opens the vault. Without its TPM a vault is still opened by the recovery code,
    /// so that is no reason not to ask.
    func isOpenedBySession() throws -> Bool {
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
}
