import BasicFoundation
import Files
import MainKey
import SecretMemory
import Substrate

/// The cold vault: networks, keys, log and seeds in one folder, all that is private in it sealed under one
/// ``VaultKey``.
///
///     let vault = try Vault.open(folder, unlocking: Unlocking { _ in .pin(try askForPIN()) })
///     var proposal = try vault.propose(payload)
///     show(proposal.answer)
///     let signed = try vault.sign(&proposal, comment: "")
///
/// Every action is one transaction: all of it is on disk when the call returns, or none.
public struct Vault: Sendable {
    /// The folder that holds the vault.
    public let folder: URL
    /// nil for one in memory, and for one of schema 1, which has none.
    public let key: VaultKey?
    /// What opening it changed; nil if it was of the newest schema already.
    package let migration: Migration?
    /// Whether opening it has finished a wipe that was begun before.
    package private(set) var hasFinishedWipe = false
    let database: ColdDatabase
    let seeds: any SeedVault
    let now: @Sendable () -> Date
    /// Expands metadata that come compressed; nil refuses them.
    public var metadataExpander: MetadataExpander?
    let metadataCache = MetadataCache()
    /// A lock that is held while the vault is open for changes.
    private let heldLock: VaultLock?
    /// The files that were opened for changes.
    let place: Place?

    static func databasePath(_ folder: URL) -> String { folder.appending(path: "vault.sqlite").path }
    /// In the place of a folder, for vaults in memory.
    static let noFolder = URL(filePath: "/")
    static func seedsPath(_ folder: URL) -> String { folder.appending(path: "seeds.sealed").path }

    /// How long a vault waits before it locks, where nothing else is asked for.
    package static let usualAutolock = AutolockTimeout.minutes(5)

    /// What a vault is opened for.
    public enum Access: Sendable {
        /// Looks at networks and metadata only: needs no key.
        case publicData
        /// Looks only: changes nothing, needs no lock.
        case read
        /// Reading and changing, by one program at a time.
        case write
    }

    /// What came of sealing a vault of the first kind under a MainKey.
    package struct Migration: Equatable, Sendable {
        /// The rule for new PINs that the person's breaks; nil if none.
        package var weakness: PINWeakness?
        /// What the validator said that it is bound to; nil where none is pinned.
        package var boundTo: Verdict.Account?
    }

    // MARK: Life

    /// Whether there is a vault in the folder, or what is left of one; also where nobody can tell. Opening it says what
    /// is wrong with it.
    public static func exists(in folder: URL) -> Bool { (try? isPresent(in: folder)) ?? true }

    /// Whether there is a vault in the folder.
    ///
    /// - Throws: ``SignerError``: `databaseDamaged` where only a part of one is there, `storageUnavailable` where the
    ///   system does not let this program look.
    package static func isPresent(in folder: URL) throws -> Bool {
        let path = databasePath(folder)
        if access(path, F_OK) == 0 {
            // Whoever may write in it puts files of another vault in the places of these.
            try onDisk { _ = try Folder(FilePath(folder.path), rules: .trustedFolder, followsLinks: true) }
            return true
        }
        let reason = Errno(rawValue: errno)
        guard reason == .noSuchFileOrDirectory else {
            throw SignerError.storageUnavailable(path: folder.path, reason: "\(reason)")
        }
        if VaultMigration.isUnfinished(in: folder) { return true }
        let others = [VaultKey.folder(of: folder).path, seedsPath(folder)]
        guard !others.contains(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw SignerError.databaseDamaged(.file(path: path, reason: "it is missing"))
        }
        return false
    }

    /// Opens a vault, checks its schema and, unless for public data alone, that it holds what was written last; for
    /// changes logs what was noted of the network while it was closed, and empties what an earlier run left pending.
    /// One of the first kind is sealed under a MainKey when it is opened for changes.
    public static func open(
        _ folder: URL, for access: Access = .write, unlocking: Unlocking,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Vault {
        try open(folder, for: access, unlocking: unlocking, now: now) { _ in }
    }

    /// - Parameters:
    ///   - opened: the key, where it is open already; nil opens it.
    ///   - first: done with the key before anything private is read.
    static func open(
        _ folder: URL, for access: Access, unlocking: Unlocking, now: @escaping @Sendable () -> Date,
        with opened: VaultKey? = nil, first: (VaultKey) throws -> Void
    ) throws -> Vault {
        guard try isPresent(in: folder) else { throw SignerError.dbNotInitialized(folder: folder.path) }
        let lock = access == .write || VaultMigration.isUnfinished(in: folder) ? try VaultLock(folder: folder) : nil
        if lock != nil { try VaultMigration.finish(in: folder) }
        var key: VaultKey?
        var migration: Migration?
        if !VaultMigration.isNeeded(in: folder) {
            key = try opened ?? VaultKey(of: folder, unlocking)
        } else if access == .write {
            let migrated = try VaultMigration.run(in: folder, unlocking)
            (key, migration) = (migrated.key, migrated.account)
        }
        if let key { try first(key) }
        if access != .write { try ColdDatabase.recover(at: databasePath(folder)) }
        var database = try ColdDatabase(opening: databasePath(folder), readOnly: access != .write, key: key)
        if access != .publicData { database = try checked(database, in: folder, key, for: access) }
        let isKnown = database.schema != FirstForm.schemaVersion
        let seeds: any SeedVault =
            key.map { SealedSeeds(path: seedsPath(folder), key: $0, isKnown: isKnown) }
            ?? NoSeeds(refusal: .firstKind(folder: folder.path))
        var vault = Vault(
            folder: folder, key: key, migration: migration, database: database, seeds: seeds, now: now,
            lock: access == .write ? lock : nil, place: access == .write ? try Place(of: folder) : nil)
        if access == .write {
            vault.hasFinishedWipe = try vault.finishWiping(with: .shipped())
            try vault.markGivenAway()
            try vault.logWaitingEncounters()
            try vault.dropPending()
        } else if access == .read, try vault.isWiping || vault.lacksMarks {
            // What is still there is not to be shown any more, or not as it is. Nobody is asked twice.
            return try open(folder, for: .write, unlocking: unlocking, now: now, with: key) { _ in }
        }
        return vault
    }

    /// A vault in memory that can look at payloads and sign nothing: before there is one, or to see what one would say.
    ///
    /// - Parameter bundle: the networks that it knows.
    public static func lookOnly(_ bundle: NetworkBundle) throws -> Vault { try lookOnly(bundle, keys: []) }

    /// A vault in memory that takes keys for its own.
    ///
    /// - Parameters:
    ///   - keys: addresses that it takes for its own.
    ///   - seeds: opened for payloads about derived keys; nil has none.
    ///   - standIns: bytes in the place of metadata, by name and version.
    package static func lookOnly(
        _ bundle: NetworkBundle, keys: [StoredKey], seeds: (any SeedVault)? = nil,
        standIns: [MetadataName: [UInt8]] = [:]
    ) throws -> Vault {
        let database = try ColdDatabase.inMemory()
        try database.write { trees in
            try trees.initialise(bundle)
            for key in keys { try trees.put(key) }
            for (key, bytes) in standIns { try trees.put(.metadata, key: key.scaleEncoded, value: bytes) }
        }
        return Vault(
            folder: noFolder, key: nil, migration: nil, database: database, seeds: seeds ?? NoSeeds(),
            now: { Date() }, lock: nil)
    }

    /// A vault in memory that is like a new one of the product: for tests and for replaying what was recorded.
    ///
    /// - Parameters:
    ///   - bundle: the networks that it begins with.
    ///   - seeds: keeps its phrases.
    ///   - now: its clock.
    package static func inMemory(
        _ bundle: NetworkBundle, seeds: any SeedVault, now: @escaping @Sendable () -> Date
    ) throws -> Vault {
        let database = try ColdDatabase.inMemory()
        try database.write { trees in
            try trees.initialise(bundle)
            try HistoryLog.append(
                [.databaseInitiated, .generalVerifierSet(bundle.generalVerifier)], at: now(), to: trees)
        }
        return Vault(
            folder: noFolder, key: nil, migration: nil, database: database, seeds: seeds, now: now, lock: nil)
    }

    private init(
        folder: URL, key: VaultKey?, migration: Migration?, database: ColdDatabase, seeds: any SeedVault,
        now: @escaping @Sendable () -> Date, lock: VaultLock?, place: Place? = nil
    ) {
        self.folder = folder
        self.key = key
        self.migration = migration
        self.database = database
        self.seeds = seeds
        self.now = now
        heldLock = lock
        self.place = place
    }

    /// Runs `body`, which waits for a person or a device: the time counts for autolock. What is private is gone if it
    /// took too long, and opening it again asks.
    ///
    /// - Parameter isByPerson: whether what came is by a person. Else the time goes on until the next wait.
    package func whileWaiting<R>(
        until isByPerson: (R) -> Bool = { _ in true }, _ body: () throws -> R
    ) rethrows -> R {
        guard let key else { return try body() }
        database.forgetKeys()
        return try key.whileWaiting(until: isByPerson, body)
    }
}
