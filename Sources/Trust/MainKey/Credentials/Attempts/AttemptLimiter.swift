/// Where the count of wrong credentials is kept.
protocol AttemptStore {
    /// - Returns: nil if there is none; what cannot be read is an error.
    func load() throws(MainKeyError) -> [UInt8]?

    /// Replaces it durably: when this returns, the bytes survive a loss of power.
    func save(_ bytes: [UInt8]) throws(MainKeyError)
}

/// Limits how often and how fast credentials are tried.
///
/// The count is raised on disk before the credential is tried, so that ending the process in time wins no attempt. The
/// caller holds the vault's exclusive lock throughout, so that processes cannot try in parallel. This stops honest
/// software only: who copies the files tries elsewhere.
///
/// Source: `mainkey` section 12.
struct AttemptLimiter<Store: AttemptStore> {
    /// The vault's ID, 16 bytes.
    let vaultID: [UInt8]
    /// The most wrong credentials in a row.
    let limit: Int
    /// Whether the vault is wiped at the limit, so that the record has to say what reached it.
    var wipesAtLimit = false
    let store: Store
    let now: () throws(MainKeyError) -> BootInstant
    /// Called when an attempt finds the record missing or damaged.
    var stateLost: () -> Void = {}

    enum Credential {
        case pin
        /// 130 bits are not guessed: it waits like a PIN, but the limit does not stop it, for it is what remains then.
        case recoveryCode
    }

    struct Status: Equatable {
        var failed: Int
        var attemptsLeft: Int
        var remainingSeconds: Int
        /// Whether the record was missing or damaged.
        var isLost: Bool
    }

    /// The state that the next attempt would meet; changes nothing.
    func status() throws(MainKeyError) -> Status {
        let now = try now()
        let record = try recorded()
        let counted = record ?? lost(at: now)
        return Status(
            failed: Int(counted.failed), attemptsLeft: attemptsLeft(counted),
            remainingSeconds: Self.seconds(counted.remainingMilliseconds(at: now)), isLost: record == nil)
    }

    /// Whether a wrong credential, tried to its end, has reached the limit of a vault that is wiped at it, and the wipe
    /// was kept from coming about; false where no record tells.
    var isWipeDue: Bool { (try? recorded())?.isWipeDue ?? false }

    /// Sets the count to zero, as for a new vault.
    func reset() throws(MainKeyError) {
        try save(failed: 0, at: try now())
    }

    /// Runs one attempt.
    ///
    /// - Parameter body: tries the credential; throws ``MainKeyError/wrongCredential(attemptsLeft:)`` if it is wrong.
    ///   Any other error leaves the count as it was.
    /// - Throws: ``MainKeyError/attemptsExhausted(byHardware:)`` or ``MainKeyError/throttled(seconds:)`` before
    ///   anything is tried; what `body` throws, with the attempts left filled in. None left means that the limit was
    ///   reached just now.
    func attempt<R>(
        _ credential: Credential, _ body: () throws(MainKeyError) -> R
    ) throws(MainKeyError) -> R {
        let start = try now()
        let before: AttemptRecord
        if let record = try recorded() {
            before = record
        } else {
            stateLost()
            before = lost(at: start)
            // Written, or the delay would begin anew with each attempt and never end.
            try store.save(before.encoded)
        }
        if credential == .pin && before.failed >= limit { throw .attemptsExhausted(byHardware: false) }
        let remaining = before.remainingMilliseconds(at: start)
        if remaining > 0 { throw .throttled(seconds: Self.seconds(remaining)) }

        var counted = AttemptRecord(
            vaultID: vaultID, failed: before.failed == .max ? .max : before.failed + 1, lastFailure: start)
        counted.isWipeDue = before.isWipeDue
        try store.save(counted.encoded)
        let outcome: R
        do throws(MainKeyError) { outcome = try body() } catch {
            guard case .wrongCredential(let byHardware) = error else {
                // Should this fail too, one attempt more is counted, and what went wrong first is what is told.
                try? store.save(before.encoded)
                throw error
            }
            let left = attemptsLeft(counted)
            if left == 0, wipesAtLimit {
                // For whoever comes next, should the process end before the wipe, which comes also where this fails.
                counted.isWipeDue = true
                try? store.save(counted.encoded)
            }
            throw .wrongCredential(attemptsLeft: min(left, byHardware ?? left))
        }
        try save(failed: 0, at: start)
        return outcome
    }

    private func attemptsLeft(_ record: AttemptRecord) -> Int {
        max(0, limit - Int(record.failed))
    }

    /// - Returns: nil if there is none, or none that can be read as one.
    private func recorded() throws(MainKeyError) -> AttemptRecord? {
        guard let bytes = try store.load() else { return nil }
        return try? AttemptRecord(parsing: bytes, vaultID: vaultID)
    }

    /// What a lost record counts as: five failures now, or as many as leave one attempt. Nobody needs to have typed
    /// anything wrong, so that the right credential has to open, and the vault must not be wiped.
    private func lost(at now: BootInstant) -> AttemptRecord {
        let failed = min(AttemptRecord.failedWhenLost, UInt32(max(0, limit - 1)))
        return AttemptRecord(vaultID: vaultID, failed: failed, lastFailure: now)
    }

    private func save(failed: UInt32, at instant: BootInstant) throws(MainKeyError) {
        try store.save(AttemptRecord(vaultID: vaultID, failed: failed, lastFailure: instant).encoded)
    }

    /// Milliseconds as seconds, rounded up, so that who waits so long has waited long enough.
    private static func seconds(_ milliseconds: UInt64) -> Int { Int((milliseconds + 999) / 1000) }
}
