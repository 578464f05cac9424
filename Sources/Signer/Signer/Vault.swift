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

    private static func databasePath(_ folder: URL) -> String { folder.appending(path: "vault.sqlite").path }
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

    /// Makes a vault. It appears in one step, when everything is in place. What a process that died in the middle of
    /// this left is removed first.
    ///
    /// - Parameters:
    ///   - folder: must not exist, or be empty.
    ///   - protections: each opens the vault.
    ///   - options: of its key; `MainKey.VaultOptions`.
    ///   - binding: makes the PIN open the vault only together with a validator's grant; nil binds it to none.
    ///   - isReleased: whether it never needs a validator's word, also where one is pinned later.
    ///   - network: what it lets pass of what a network detector finds; logged if that is anything.
    ///   - beforeItAppears: called when everything is in place but the vault's name; if it throws, there is no vault.
    /// - Returns: what the validator said, where it is bound.
    @discardableResult
    public static func create(
        in folder: URL, protections: [Protection], options: VaultOptions, bundle: NetworkBundle,
        opening: OpenOptions = OpenOptions(), binding: NewBinding? = nil, isReleased: Bool = false,
        network: NetworkAllowance = .strict,
        now: @escaping @Sendable () -> Date = { Date() }, beforeItAppears: () throws -> Void = {}
    ) throws -> Verdict.Account? {
        guard try !isPresent(in: folder) else { throw SignerError.vaultExists(folder: folder.path) }
        // No person is asked: it is unlocked as it is made.
        let unlocking = Unlocking(opening) { _ in throw SignerError.vaultKey(.locked) }
        let bound = try binding?.bind(protections, options.pinPolicy)
        let unfinished = try UnfinishedVault(of: folder, unlocking.options)
        defer { withExtendedLifetime(unfinished) {} }
        let building = unfinished.folder
        do {
            let engine = try onKey {
                try MainKeyVault.create(
                    at: VaultKey.folder(of: building).path, bound?.protections ?? protections, VaultKey.owned(options),
                    opening: unlocking.options)
            }
            do {
                let key = VaultKey(engine, unlocking)
                if let bound { try key.record.write(bound.record) }
                try key.write(
                    SealedMark(
                        validatorKeyID: bound?.account.validatorKeyID, isReleased: isReleased, isBound: bound != nil,
                        slot: key.pinWay()?.id))
                try key.write(KnownFiles())
                try fill(building, key: key, bundle: bundle, network: network, now: now)
                try beforeItAppears()
                // An empty folder of that name is replaced; anything else is not.
                try VaultFile(building.path).move(to: VaultFile(folder.path))
            } catch {
                // Also what was made for it in the TPM.
                _ = try? engine.wipe()
                throw error
            }
            engine.remember(inFolder: VaultKey.folder(of: folder).path)
            engine.lock()
            return bound?.account
        } catch {
            unfinished.remove()
            throw error
        }
    }

    private static func fill(
        _ folder: URL, key: VaultKey, bundle: NetworkBundle, network: NetworkAllowance, now: @Sendable () -> Date
    ) throws {
        try NetworkNote.file(in: folder).create()
        try SealedSeeds(path: seedsPath(folder), key: key).write(SeedList(entries: []))
        try ColdDatabase.create(at: databasePath(folder), key: key).write { trees in
            try trees.initialise(bundle)
            try network.write(to: trees)
            let choice = network == .strict ? [] : [network.entry]
            try HistoryLog.append(
                [.databaseInitiated, .generalVerifierSet(bundle.generalVerifier)] + choice, at: now(), to: trees)
        }
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

    // MARK: What is there

    /// The stored networks in the order of lists.
    public func networks() throws -> [NetworkSpecs] { try database.readPublic { try $0.networks().map(\.specs) } }

    /// Versions of the metadata held for a network, newest first.
    package func metadataVersions(of network: NetworkSpecs) throws -> [UInt32] {
        try database.readPublic { try $0.metadataVersions(name: network.name) }
    }

    /// The network with this genesis in hex, behind which may stand the scheme of its keys, as in `0x91b1…/sr25519`; or
    /// with this name, else with this title. A title is what its author likes, a name is one network's, and what is
    /// written as a genesis is nothing else.
    ///
    /// - Parameter forAnyScheme: whether the records of a network for several schemes are as good as one another.
    /// - Throws: ``SignerError/networkNotFound(_:)``, ``SignerError/networkAmbiguous(_:networks:)``
    public func network(named text: String, forAnyScheme: Bool = false) throws -> NetworkSpecs {
        let wanted = text.lowercased()
        let networks = try networks()
        let found: [NetworkSpecs]
        if let genesis = NetworkSpecs.genesis(in: wanted) {
            let scheme = wanted.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
            found = networks.filter { $0.genesisHash == genesis && scheme.map($0.scheme.name.elementsEqual) ?? true }
        } else {
            let named = networks.filter { $0.name == wanted }
            found = named.isEmpty ? networks.filter { $0.title.lowercased() == wanted } : named
        }
        guard let network = found.first else { throw SignerError.networkNotFound(text) }
        guard found.count == 1 || forAnyScheme && found.allSatisfy({ $0.genesisHash == network.genesisHash }) else {
            throw SignerError.networkAmbiguous(
                text, networks: found.map { "0x\($0.genesisHash.hex)/\($0.scheme.name)" })
        }
        return network
    }

    /// All stored keys; those of one seed first its root, then by path.
    ///
    /// - Throws: ``SignerError/secretExposedMismatch(seed:path:)``, and for damage.
    public func keys() throws -> [StoredKey] {
        try keyRows().filter { !$0.details.isForgotten }.sorted { left, right in
            (left.details.seedName, left.details.path) < (right.details.seedName, right.details.path)
        }
    }

    // MARK: Payloads

    /// What a payload asks for, to look at. Writes nothing; ``propose(_:)`` is for what may be accepted.
    ///
    /// Seeds are opened only for a payload about keys that must be derived to be shown.
    ///
    /// - Throws: ``RefusedPayload`` if nothing of it can be shown, ``SignerError`` for damage.
    public func process(_ payload: [UInt8]) throws -> Answer { try read(payload).0 }

    /// Reads a payload for a decision. Where something may follow, it waits as the one pending item, in place of any
    /// other.
    ///
    /// - Throws: as ``process(_:)``.
    public func propose(_ payload: [UInt8]) throws -> Proposal {
        let (answer, state) = try read(payload)
        var proposal = Proposal(answer: answer, itemID: nil, payload: payload)
        if !answer.isReadOnly {
            proposal.itemID = try database.write { try $0.setPending(payload, shownWith: state) }
        }
        return proposal
    }

    /// - Returns: also the digest of the state that the answer holds for.
    private func read(_ payload: [UInt8]) throws -> (Answer, state: [UInt8]) {
        if key?.isConfirmed ?? !(seeds is NoSeeds) { return try read(payload, phrases: OpenPhrases(seeds)) }
        do {
            return try read(payload, phrases: nil)
        } catch let refused as RefusedPayload where refused.needsSeed {
            guard let key else { throw refused }
            try key.confirm()
            return try read(payload, phrases: OpenPhrases(seeds))
        }
    }

    private func read(_ payload: [UInt8], phrases: OpenPhrases?) throws -> (Answer, state: [UInt8]) {
        let snapshot = try database.read { trees in
            // In the same transaction: what is shown is read from what was compared.
            try trees.checkPublicTrees()
            return try TreesSnapshot(trees)
        }
        let answer = try PayloadProcessor(
            trees: snapshot, cache: metadataCache, phrases: phrases, expander: metadataExpander
        )
        .process(payload)
        return (answer, snapshot.state)
    }
}

extension RefusedPayload {
    /// Whether a seed of this vault, once opened, may change the answer.
    fileprivate var needsSeed: Bool {
        switch self {
        case .noSeedFound(_, seed: .some): true
        case .bulkMember(_, let refused): refused.needsSeed
        default: false
        }
    }
}
