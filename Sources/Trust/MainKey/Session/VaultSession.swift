import SecretMemory

/// Programs of one login share an unlocked vault without handing the key to each other: a ticket lies in the vault's
/// folder, and what opens it in the kernel's session keyring, until the time is over or somebody locks.
///
/// Every program of the same login can use it. What must be shown to a person first asks for a credential all the same.
struct VaultSession: Sendable {
    private typealias Name = VaultDirectory.Name

    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let diskChanges: DiskChanges
    let key: SessionKey
    let options: OpenOptions

    // MARK: Beginning

    func begin(lasting time: Duration?, joinedWith share: SecretBytes?) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let (file, unlocked) = try memory.unlocked()
        let time = try Self.checked(time, file.autolock)
        let now = try BootInstant.now()
        let deadline = time.map { now.milliseconds + Self.milliseconds($0) } ?? .max
        let ticketKey = try secret { try SecretBytes.random(count: AEAD.keyByteCount) }
        let ticket = try SessionTicket(
            unlocked.secrets, bootID: now.bootID, deadline: deadline, asleep: BootInstant.asleepMilliseconds(),
            under: Self.joined(ticketKey, with: share))
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        try key.write(ticketKey, for: time)
        try store.directory.files.write(ticket.bytes, to: Name.session)
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
            throw .configError(
                reason: "a session of this vault lasts some time, and at most \(most) minutes, its time of autolock")
        }
        return time
    }

    /// The time in milliseconds, rounded up. ``checked(_:_:)`` limits it, so that nothing overflows.
    private static func milliseconds(_ time: Duration) -> UInt64 {
        let (seconds, attoseconds) = time.components
        return UInt64(seconds) * 1000 + UInt64((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }

    private static func joined(_ key: SecretBytes, with share: SecretBytes?) throws(MainKeyError) -> SecretBytes {
        guard let share else { return key }
        return try secret {
            try SecretBytes(count: AEAD.keyByteCount) { output in
                HMACSHA256.write(key: key, into: output) { update in share.withUnsafeBytes(update) }
            }
        }
    }

    // MARK: Unlocking

    /// - Returns: whether there is a session.
    func unlock(joinedWith share: SecretBytes?) throws(MainKeyError) -> Bool {
        guard key.obstacle == nil, try SessionTicket.bytes(in: store.directory) != nil else { return false }
        // Nobody who may be asked is in front of it; once somebody is, the session goes on.
        guard options.lockSignals?.isScreenLocked() != true else { return false }
        return try memory.unlocking { (requests) throws(MainKeyError) in
            // Until the keys are installed, so that whoever ends the session finds them there to lock.
            let lock = try store.lock(.exclusive)
            defer { withExtendedLifetime(lock) {} }
            guard let bytes = try SessionTicket.bytes(in: store.directory), let key = try key.read() else {
                return false
            }
            guard let opened = try open(ticket: bytes, with: Self.joined(key, with: share)) else {
                try remove()
                return false
            }
            try memory.install(
                UnlockedKeys(
                    secrets: opened.secrets, keys: memory.epochKeys(opened.epochs, of: opened.file),
                    slot: opened.file.slots[0].id, hardware: nil, deadline: opened.deadline),
                of: opened.file, unlessAskedToLockSince: requests)
            return true
        }
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
        let keyring = try store.load()
        let file = keyring.file
        guard let ticket = SessionTicket(parsing: bytes), holds(ticket, for: file, at: try BootInstant.now()),
            let mainKey = try ticket.mainKey(under: key)
        else { return nil }
        let secrets = try MainKeySecrets(mainKey, vault: file.vault)
        let epochs = try file.verify(keyring.bytes, under: secrets)
        try hardware.verifyAnchor(of: file, isRecovery: false)
        return Opened(file: file, secrets: secrets, epochs: epochs, deadline: ticket.deadline)
    }

    // MARK: Ending

    /// Locks, ends the session, and tells every process that has this vault open to lock. Where something fails, the
    /// rest is done all the same.
    func end() throws(MainKeyError) {
        memory.lock(.explicit)
        key.remove()
        memory.turns.lock()
        defer { memory.turns.unlock() }
        // For what another thread unlocked by the session before it was over.
        defer { memory.lock(.explicit) }
        let removal = Result { () throws(MainKeyError) in
            let lock = try store.lock(.exclusive)
            defer { withExtendedLifetime(lock) {} }
            try remove()
        }
        try diskChanges.signalToLock()
        try removal.get()
    }

    /// The caller holds the exclusive lock of the folder.
    func remove() throws(MainKeyError) {
        key.remove()
        try store.directory.files.overwriteAndRemove(Name.session)
    }

    /// Milliseconds until the session is over, the largest number for one without end.
    ///
    /// - Returns: nil if there is none that this login can use.
    func timeLeft() throws(MainKeyError) -> UInt64? {
        guard let bytes = try SessionTicket.bytes(in: store.directory), let ticket = SessionTicket(parsing: bytes)
        else { return nil }
        let now = try BootInstant.now()
        guard holds(ticket, for: try store.load().file, at: now), (try? key.read()) ?? nil != nil else { return nil }
        return ticket.deadline == .max ? .max : ticket.deadline - now.milliseconds
    }
}
