import SecretMemory

/// Programs of one login share an unlocked vault without handing the key to each other: a ticket lies in the vault's
/// folder, and what opens it in the kernel's session keyring, until the time is over or somebody locks.
///
/// Every program of the same login can use it. What must be shown to a person first asks for a credential all the same.
extension VaultEngine {
    private static let ticketKeyLabel = "session"
    /// How many bytes are read of what lies in a ticket's place: more than a ticket has, so that what is none is
    /// noticed.
    private static let ticketLimit = 4096

    /// Lets programs of this login unlock without a credential from now on.
    ///
    /// - Parameters:
    ///   - time: more than none, and at most the time of autolock, or a week where that is `never`; nil takes the time
    ///     of autolock, or no end.
    ///   - share: the session opens nothing without it; nil for a session that needs no more than this login.
    /// - Throws: `locked`; `configError` where the vault locks after each use, for another time, or where the kernel
    ///   has no keyring; `busy`.
    package func beginSession(
        lasting time: Duration?, joinedWith share: SecretBytes? = nil
    ) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let (file, unlocked) = try unlocked()
            let time = try Self.checked(time, file.autolock)
            let now = try BootInstant.now()
            let deadline = time.map { now.milliseconds + Self.milliseconds($0) } ?? .max
            let key = try secret { try SecretBytes.random(count: AEAD.keyByteCount) }
            let ticket = try SessionTicket(
                unlocked.secrets, bootID: now.bootID, deadline: deadline, asleep: BootInstant.asleepMilliseconds(),
                under: Self.ticketKey(key, share))
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            try sessionKeys(for: time).write(Self.ticketKeyLabel, key, access: .afterFirstUnlockThisDeviceOnly)
            try directory.files.write(ticket.bytes, to: Name.session)
        }
    }

    private static func checked(_ time: Duration?, _ autolock: AutolockTimeout) throws(MainKeyError) -> Duration? {
        let most: Int
        switch autolock {
        case .always: throw .configError(reason: "the vault locks after each use, so there is no session")
        case .never where time == nil: return nil
        case .never: most = AutolockTimeout.minutesAllowed.upperBound
        case .minutes(let minutes): most = minutes
        }
        let time = time ?? .seconds(60 * most)
        guard time > .zero, time <= .seconds(60 * most) else {
            throw .configError(reason: "a session of this vault lasts some time, and at most \(most) minutes")
        }
        return time
    }

    /// The time in milliseconds, rounded up. ``checked(_:_:)`` limits it, so that nothing overflows.
    private static func milliseconds(_ time: Duration) -> UInt64 {
        let (seconds, attoseconds) = time.components
        return UInt64(seconds) * 1000 + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    /// Unlocks by the session of this login. A ticket that does not hold is removed; one of another login of the same
    /// user, whose key is not in this one's keyring, stays, and so does one that could not be looked at.
    ///
    /// - Parameter share: with which the session was begun.
    /// - Returns: whether there is a session.
    /// - Throws: `locked` if somebody asked to lock in the meantime; what is wrong with the vault; `busy`, `io`, those
    ///   of the hardware.
    package func unlockBySession(joinedWith share: SecretBytes? = nil) throws(MainKeyError) -> Bool {
        guard sessionObstacle() == nil, try ticketBytes() != nil else { return false }
        // Nobody who may be asked is in front of it; once somebody is, the session goes on.
        guard options.lockSignals?.isScreenLocked() != true else { return false }
        return try unlocking { (requests) throws(MainKeyError) in
            // Until the keys are installed, so that whoever ends the session finds them there to lock.
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            guard let bytes = try ticketBytes(), let key = try sessionKeys(for: nil).read(Self.ticketKeyLabel) else {
                return false
            }
            guard let opened = try open(ticket: bytes, with: Self.ticketKey(key, share)) else {
                try removeSession()
                return false
            }
            try install(
                Unlocked(
                    secrets: opened.secrets, keys: epochKeys(opened.epochs, of: opened.file),
                    slot: opened.file.slots[0].id, hardware: nil, deadline: opened.deadline),
                opened.file, unlessAskedToLockSince: requests)
            return true
        }
    }

    private static func ticketKey(_ key: SecretBytes, _ share: SecretBytes?) throws(MainKeyError) -> SecretBytes {
        guard let share else { return key }
        return try secret {
            try SecretBytes(count: AEAD.keyByteCount) { output in
                HMACSHA256.write(key: key, into: output) { update in share.withUnsafeBytes(update) }
            }
        }
    }

    func ticketBytes() throws(MainKeyError) -> [UInt8]? {
        try directory.files.read(Name.session, limit: Self.ticketLimit)
    }

    private func holds(_ ticket: SessionTicket, for file: KeyFile, at now: BootInstant) -> Bool {
        // Nobody may have been there to hear that the machine went to sleep.
        if options.locksOnSleep, ticket.isBeforeSleep(BootInstant.asleepMilliseconds()) { return false }
        return ticket.holds(for: file, at: now)
    }

    private struct Opened {
        var file: KeyFile
        var secrets: MainKeySecrets
        var epochs: [UInt32: SecretBytes]
        var deadline: UInt64
    }

    /// - Returns: nil if the ticket holds for this vault no more, or was changed.
    /// - Throws: what says nothing about the ticket.
    private func open(ticket bytes: [UInt8], with key: SecretBytes) throws(MainKeyError) -> Opened? {
        let keyring = try load()
        let file = keyring.file
        guard let ticket = SessionTicket(parsing: bytes), holds(ticket, for: file, at: try BootInstant.now()),
            let mainKey = try ticket.mainKey(under: key)
        else { return nil }
        let secrets = try MainKeySecrets(mainKey, vault: file.vault)
        let epochs = try file.verify(keyring.bytes, under: secrets)
        try file.verifyAnchorLink()
        try verifyAnchor(of: file, isRecovery: false)
        return Opened(file: file, secrets: secrets, epochs: epochs, deadline: ticket.deadline)
    }

    /// Locks, ends the session, and tells every process that has this vault open to lock. Where something fails, the
    /// rest is done all the same.
    ///
    /// - Throws: what failed: `busy`, `io`.
    package func endSession() throws(MainKeyError) {
        lock(.explicit)
        removeSessionKey()
        try exclusively { () throws(MainKeyError) in
            // For what another thread unlocked by the session before it was over.
            defer { lock(.explicit) }
            let removal = Result { () throws(MainKeyError) in
                let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
                defer { withExtendedLifetime(lock) {} }
                try removeSession()
            }
            // Its coming and going is what the others see.
            state.withLock { $0.ownSignals? += 1 }
            do throws(MainKeyError) {
                try directory.files.write([], to: Name.lockSignal)
            } catch {
                state.withLock { $0.ownSignals? -= 1 }
                throw error
            }
            try directory.files.remove(Name.lockSignal)
            try removal.get()
        }
    }

    /// The caller holds the exclusive lock of the folder.
    func removeSession() throws(MainKeyError) {
        removeSessionKey()
        try directory.files.overwriteAndRemove(Name.session)
    }

    /// The keyring may have forgotten it already, or be another login's.
    func removeSessionKey() {
        try? sessionKeys(for: nil).delete(Self.ticketKeyLabel)
    }

    /// Milliseconds until the session is over, the largest number for one without end.
    ///
    /// - Returns: nil if there is none that this login can use.
    package func sessionTimeLeft() throws(MainKeyError) -> UInt64? {
        guard let bytes = try ticketBytes(), let ticket = SessionTicket(parsing: bytes) else { return nil }
        let now = try BootInstant.now()
        guard holds(ticket, for: try load().file, at: now),
            (try? sessionKeys(for: nil).read(Self.ticketKeyLabel)) ?? nil != nil
        else { return nil }
        return ticket.deadline == .max ? .max : ticket.deadline - now.milliseconds
    }

    /// Why this machine offers no sessions; nil if it does.
    package func sessionObstacle() -> MainKeyError? {
        guard options.sessionKeys == nil else { return nil }
        do throws(MainKeyError) {
            try KernelKeyring.checkAvailability()
            return nil
        } catch { return error }
    }

    private func sessionKeys(for lifetime: Duration?) throws(MainKeyError) -> any KeyItemStore {
        if let given = options.sessionKeys { return given }
        try KernelKeyring.checkAvailability()
        return KernelKeyring(
            service: Self.sessionService(of: state.withLock { $0.file.vault }), lifetime: lifetime)
    }

    /// The service of a session's key. It is not that of the vault's items, whose labels anybody chooses.
    static func sessionService(of vault: VaultID) -> String { "session:\(vault)" }
}
