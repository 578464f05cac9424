import BasicFoundation
import MainKey
import Synchronization

/// The MainKey of a vault: opened when something private is needed, gone again when the vault locks.
///
/// Work happens between two waits for a person or a camera. The time of autolock runs while the program waits, and a
/// vault that locked meanwhile asks again.
public final class VaultKey: Sendable {
    let engine: MainKeyVault
    let unlocking: Unlocking
    /// The folder of the key; that of ``engine`` may have had another name when it was made.
    let folder: String
    let state = Mutex(OpeningState())
    /// A lock that is held while the note of the vault's files is changed.
    let filesAccess = Mutex(())

    /// Whether the vault is bound to a validator.
    var record: BindingRecord { BindingRecord(in: folder) }

    static func folder(of vault: URL) -> URL { vault.appending(path: "key") }

    /// Opens the key of a vault without unlocking it.
    public convenience init(of vault: URL, _ unlocking: Unlocking) throws {
        try Self.check(vault)
        let folder = Self.folder(of: vault)
        self.init(try Self.found(folder) { try MainKeyVault.open(at: folder.path, unlocking.options) }, unlocking)
    }

    /// Looks at the key of a vault, without changing anything on the disk.
    package static func look(at vault: URL, _ unlocking: Unlocking) throws -> VaultKey {
        try check(vault)
        let folder = folder(of: vault)
        return VaultKey(try found(folder) { try MainKeyVault.look(at: folder.path, unlocking.options) }, unlocking)
    }

    private static func check(_ vault: URL) throws {
        guard try Vault.isPresent(in: vault) else { throw SignerError.dbNotInitialized(folder: vault.path) }
        guard !VaultMigration.isNeeded(in: vault) else { throw SignerError.firstKind(folder: vault.path) }
    }

    /// A vault whose key is gone is damaged.
    private static func found(_ folder: URL, _ open: () throws -> MainKeyVault) throws -> MainKeyVault {
        do { return try onKey(open) } catch SignerError.vaultKey(.notFound) {
            throw SignerError.databaseDamaged(
                .file(path: folder.appending(path: "keyring.mk").path, reason: "it is missing"))
        }
    }

    /// - Parameters:
    ///   - engine: of a vault that was just made, and is unlocked.
    ///   - folder: that it will have; nil for the one that it was made in.
    init(_ engine: MainKeyVault, _ unlocking: Unlocking, folder: String? = nil) {
        self.engine = engine
        self.unlocking = unlocking
        self.folder = folder ?? engine.path
        if engine.state == .unlocked { noteUnlocked(isConfirmed: true) }
    }

    deinit { state.withLock { $0.vouching?.end() } }

    // MARK: Use

    /// Lends the keys of rows and seeds, after unlocking if need be.
    func withKeys<R>(_ body: (EpochKeys) throws -> R) throws -> R {
        try unlock()
        state.withLock { $0.depth += 1 }
        defer { state.withLock { $0.depth -= 1 } }
        do {
            return try engine.withUnlocked { vault in try body(vault.keys) }
        } catch let error as MainKeyError {
            throw SignerError.vaultKey(error)
        }
    }

    /// Makes sure that a person opened the vault in this process and that the validator, if one is pinned, vouches for
    /// this program, as what touches seeds asks for.
    public func confirm() throws {
        try unlock()
        if !isConfirmed {
            let typed = try ask(.seeds)
            // Not unlocked anew: what is in use stays usable.
            try trying(typed) { try engine.verify(typed.credential) }
            noteUnlocked(isConfirmed: true, isRecovered: typed.isRecoveryCode)
        }
        _ = try verdict()
    }

    /// Whether it is open, and a person opened it.
    var isConfirmed: Bool { isUnlocked && state.withLock { $0.isConfirmed } }

    /// Counts the time that `body` waits for a person or a device for autolock, and goes on counting where what came is
    /// by nobody.
    func whileWaiting<R>(
        until isByPerson: (R) -> Bool = { _ in true }, _ body: () throws -> R
    ) rethrows -> R {
        defer { forgetVerdict() }
        return try engine.whileWaiting(until: isByPerson, body)
    }

    /// Whether the vault is unlocked. The clock is asked as well, which may be ahead of its timer after the machine
    /// slept.
    private var isUnlocked: Bool { (try? engine.withUnlocked { _ in }) != nil }

    private func unlock() throws {
        guard !isUnlocked else { return }
        let (depth, isFirst) = state.withLock { ($0.depth, !$0.wasUnlocked) }
        // Locked in the middle of a use: its keys are gone, and asking would not bring them back.
        guard depth == 0 else { throw SignerError.vaultKey(.locked) }
        // Before a person is asked: why it locked may be what the validator found.
        try endVouching()
        let ways = try waysToOpen()
        if ways.contains("none") {
            try unlock(Typed(.none))
        } else if ways.contains("tpm") {
            try unlock(Typed(.hardware))
        } else if isFirst, try isOpenedBySession() {
            noteUnlocked(isConfirmed: false)
            try checkValidator()
        } else {
            try unlock(try ask(isFirst ? .opening : .lockedMeanwhile))
        }
    }

    /// Opens the vault, if the validator that it needs vouches for this program.
    func unlock(_ typed: Typed) throws {
        try trying(typed) { try engine.unlock(typed.credential) }
        noteUnlocked(isConfirmed: true, isRecovered: typed.isRecoveryCode)
        try checkValidator()
    }

    private func noteUnlocked(isConfirmed: Bool, isRecovered: Bool = false) {
        state.withLock { $0.noteUnlocked(isConfirmed: isConfirmed, isRecovered: isRecovered) }
    }

    /// The owner of a vault's rows and seeds: the signer, which alone finds them.
    static let owner = "casemate"

    static func owned(_ options: VaultOptions) -> VaultOptions {
        var options = options
        options.owner = owner
        return options
    }

    // MARK: What is known of it

    /// What can be said of the key without any secret.
    public func status() throws -> VaultStatus {
        try onKey { try engine.status() }
    }

    /// The same with what the hardware has counted of wrong PINs, which takes as long as the hardware does.
    package func fullStatus() throws -> VaultStatus {
        try onKey { try engine.status(asksHardware: true) }
    }
}

/// Runs what the key does, with its failure as one of the vault.
func onKey<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as MainKeyError { throw SignerError.vaultKey(error) }
}
