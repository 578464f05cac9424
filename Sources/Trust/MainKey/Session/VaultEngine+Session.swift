import SecretMemory

/// Programs of one login share an unlocked vault without handing the key to each other: a ticket lies in the vault's folder, and
/// what opens it in the kernel's session keyring, until the time is over or somebody locks.
///
/// Every program of the same login can use it. What must be shown to a person first asks for a credential all the same.
extension VaultEngine {
    private static let ticketKeyLabel = "session"
    /// Bytes of what may lie in a ticket's place, to be found to be none.
    private static let ticketLimit = 4096

    /// Lets programs of this login unlock without a credential from now on.
    ///
    /// - Parameter time: at most the time of autolock, which is taken for nil.
    /// - Throws: `locked`; `configError` where the vault locks after each use, for a longer time, or where the kernel has no
    ///   keyring.
    package func beginSession(lasting time: Duration?) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let (file, unlocked) = try unlocked()
            let time = try Self.checked(time, file.autolock)
            let now = try BootInstant.now()
            let deadline = time.map { now.milliseconds + UInt64($0 / .milliseconds(1)) } ?? .max
            let key = try secret { try SecretBytes.random(count: AEAD.keyByteCount) }
            let ticket = try SessionTicket(unlocked.secrets, bootID: now.bootID, deadline: deadline, under: key)
            try sessionKeys(for: time).write(Self.ticketKeyLabel, key, access: .afterFirstUnlockThisDeviceOnly)
            try directory.files.write(ticket.bytes, to: Name.session)
        }
    }

    private static func checked(_ time: Duration?, _ autolock: AutolockTimeout) throws(MainKeyError) -> Duration? {
        switch autolock {
        case .always: throw .configError(reason: "the vault locks after each use, so there is no session")
        case .never: return time
        case .minutes(let minutes):
            let most = Duration.seconds(60 * minutes)
            guard (time ?? most) <= most else {
                throw .configError(reason: "a session lasts at most the \(minutes) minutes of autolock")
            }
            return time ?? most
        }
    }

    /// Unlocks by the session of this login. A ticket that does not hold is removed; one of another login of the same user, whose
    /// key is not in this one's keyring, stays.
    ///
    /// - Returns: whether there is a session.
    package func unlockBySession() throws(MainKeyError) -> Bool {
        try exclusively { () throws(MainKeyError) in
            guard let bytes = try directory.files.read(Name.session, limit: Self.ticketLimit) else {
                return false
            }
            guard let key = (try? sessionKeys(for: nil).read(Self.ticketKeyLabel)) ?? nil else { return false }
            guard let opened = try? open(ticket: bytes, with: key) else {
                try removeSession()
                return false
            }
            install(
                Unlocked(
                    secrets: opened.secrets, keys: epochKeys(opened.epochs, of: opened.keyring.file),
                    slot: opened.slot, hardware: nil, deadline: opened.deadline),
                opened.keyring.file)
            return true
        }
    }

    private struct Opened {
        var keyring: Keyring
        var secrets: MainKeySecrets
        var epochs: [UInt32: SecretBytes]
        var slot: UInt32
        var deadline: UInt64
    }

    /// - Returns: nil unless it is a ticket of this vault, this MainKey and this start of the machine whose time is not over.
    private func open(ticket bytes: [UInt8], with key: SecretBytes) throws(MainKeyError) -> Opened? {
        let lock = try HeldLock(.shared, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        let keyring = try load()
        let file = keyring.file
        guard let ticket = SessionTicket(parsing: bytes), ticket.vault == file.vault,
            ticket.mainKeyID == file.mainKeyID, !ticket.isOver(at: try BootInstant.now()), file.autolock != .always,
            let mainKey = try ticket.mainKey(under: key)
        else { return nil }
        let secrets = try MainKeySecrets(mainKey, vault: file.vault)
        let epochs = try file.verify(keyring.bytes, under: secrets)
        try file.verifyAnchorLink()
        try verifyAnchor(of: file, isRecovery: false)
        return Opened(
            keyring: keyring, secrets: secrets, epochs: epochs, slot: file.slots[0].id, deadline: ticket.deadline)
    }

    /// Ends the session, and tells every process that has this vault open to lock.
    package func endSession() throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            try removeSession()
            // Its coming and going is what the others see.
            try directory.files.write([], to: Name.lockSignal)
            try directory.files.remove(Name.lockSignal)
        }
        lock(.explicit)
    }

    private func removeSession() throws(MainKeyError) {
        // The keyring may have forgotten it already, or be another login's.
        try? sessionKeys(for: nil).delete(Self.ticketKeyLabel)
        try directory.files.overwriteAndRemove(Name.session)
    }

    /// Milliseconds until the session is over, the largest number for one without end.
    ///
    /// - Returns: nil if there is none that this login can use.
    package func sessionTimeLeft() throws(MainKeyError) -> UInt64? {
        guard let bytes = try directory.files.read(Name.session, limit: SessionTicket.byteCount),
            let ticket = SessionTicket(parsing: bytes), ticket.vault == state.withLock({ $0.file.vault })
        else { return nil }
        let now = try BootInstant.now()
        guard !ticket.isOver(at: now), (try? sessionKeys(for: nil).read(Self.ticketKeyLabel)) ?? nil != nil else {
            return nil
        }
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
        return KernelKeyring(service: state.withLock { $0.file.vault }.description, lifetime: lifetime)
    }
}
