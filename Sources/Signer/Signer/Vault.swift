import Foundation
import SecretMemory
import Substrate

/// The cold vault: networks, keys, log and sealed seeds in one folder.
///
///     let vault = try Vault.open(folder)
///     let answer = try vault.process(payload)
///     let itemID = try vault.setPending(payload)
///     let signed = try vault.sign(itemID: itemID, credential: pin, password: nil, comment: "")
///
/// Every action is one transaction: all of it is on disk when the call returns, or none.
public struct Vault: Sendable {
    public let folder: URL
    let database: ColdDatabase
    let seeds: any SeedVault
    let now: @Sendable () -> Date
    private let cache = MetadataCache()
    /// Held while the vault is open for changes.
    private let lock: VaultLock?

    private static func databasePath(_ folder: URL) -> String { folder.appending(path: "vault.sqlite").path }
    private static func seedsPath(_ folder: URL) -> String { folder.appending(path: "seeds.sealed").path }

    public enum Access: Sendable {
        /// Looks only: changes nothing, needs no lock.
        case read
        case write
    }

    // MARK: Life

    /// Whether there is a vault in the folder.
    public static func exists(in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: databasePath(folder))
    }

    /// Makes a vault. It appears in one step, when everything is in place.
    ///
    /// - Parameters:
    ///   - folder: must not exist, or be empty.
    ///   - cost: of opening the seeds with the credential.
    public static func create(
        in folder: URL, credential: SecretBytes, bundle: NetworkBundle, cost: PasswordHashCost = .standard,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        guard !exists(in: folder) else { throw SignerError.vaultExists(folder: folder.path) }
        let parent = folder.deletingLastPathComponent()
        let building = parent.appending(path: ".\(folder.lastPathComponent).new-\(UUID().uuidString)")
        try onDisk(folder) {
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            try FileManager.default.createDirectory(
                at: building, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
        do {
            try PassphraseSeedVault(path: seedsPath(building), cost: cost).create(credential: credential)
            try ColdDatabase.create(at: databasePath(building)).write { trees in
                try trees.initialise(bundle)
                try HistoryLog.append(
                    [.databaseInitiated, .generalVerifierSet(bundle.generalVerifier)], at: now(), to: trees)
            }
            // An empty folder of that name is replaced; anything else is not.
            guard rename(building.path, folder.path) == 0 else {
                throw SignerError.storageUnavailable(path: folder.path, reason: String(cString: strerror(errno)))
            }
        } catch {
            try? FileManager.default.removeItem(at: building)
            throw error
        }
    }

    private static func onDisk(_ folder: URL, _ body: () throws -> Void) throws {
        do { try body() } catch {
            throw SignerError.storageUnavailable(path: folder.path, reason: error.localizedDescription)
        }
    }

    /// Opens a vault, checks its schema and its log, and for changes empties what an earlier run left pending.
    public static func open(
        _ folder: URL, for access: Access = .write, cost: PasswordHashCost = .standard,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws -> Vault {
        guard exists(in: folder) else { throw SignerError.dbNotInitialized(folder: folder.path) }
        let lock = access == .write ? try VaultLock(folder: folder) : nil
        if access == .read { try ColdDatabase.recover(at: databasePath(folder)) }
        let database = try ColdDatabase(opening: databasePath(folder), readOnly: access == .read)
        let vault = Vault(
            folder: folder, database: database, seeds: PassphraseSeedVault(path: seedsPath(folder), cost: cost),
            now: now,
            lock: lock)
        try database.read { trees in
            try vault.checkSchema(trees)
            _ = try HistoryLog.verified(trees)
        }
        if access == .write, try database.read({ try $0.count(.transaction) }) > 0 {
            try database.write { try $0.removeAll(.transaction) }
        }
        return vault
    }

    /// A vault in memory that can look at payloads and sign nothing: before there is one, or to see what one would say.
    ///
    /// - Parameters:
    ///   - keys: addresses that it takes for its own.
    ///   - seeds: opened for payloads about derived keys; nil has none.
    public static func lookOnly(
        _ bundle: NetworkBundle, keys: [StoredKey] = [], seeds: (any SeedVault)? = nil
    ) throws -> Vault {
        let database = try ColdDatabase.inMemory()
        try database.write { trees in
            try trees.initialise(bundle)
            for key in keys { try trees.put(key) }
        }
        return Vault(
            folder: URL(filePath: "/"), database: database, seeds: seeds ?? PassphraseSeedVault(path: ""),
            now: { Date() },
            lock: nil)
    }

    private init(
        folder: URL, database: ColdDatabase, seeds: any SeedVault, now: @escaping @Sendable () -> Date,
        lock: VaultLock?
    ) {
        self.folder = folder
        self.database = database
        self.seeds = seeds
        self.now = now
        self.lock = lock
    }

    private func checkSchema(_ trees: Trees) throws {
        guard let value = try trees.value(.settings, Setting.schemaVersion.key), value.count == 4 else {
            throw SignerError.databaseDamaged(.missingSetting(Setting.schemaVersion.rawValue))
        }
        let found = value.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard found == ColdDatabase.schemaVersion else {
            throw SignerError.dbSchemaMismatch(expected: ColdDatabase.schemaVersion, found: found)
        }
    }

    // MARK: What is there

    /// In the order of lists.
    public func networks() throws -> [NetworkSpecs] { try database.read { try $0.networks().map(\.specs) } }

    /// Versions of the metadata held for a network, newest first.
    public func metadataVersions(of network: NetworkSpecs) throws -> [UInt32] {
        try database.read { try $0.metadataVersions(name: network.name) }
    }

    /// The network with this name, title or genesis in hex.
    public func network(named text: String) throws -> NetworkSpecs {
        let wanted = text.lowercased()
        let found = try networks().first { network in
            [
                network.name.lowercased(), network.title.lowercased(), network.genesisHash.hex,
                "0x" + network.genesisHash.hex,
            ]
            .contains(wanted)
        }
        guard let found else { throw SignerError.networkNotFound(text) }
        return found
    }

    /// All stored keys; those of one seed first its root, then by path.
    public func keys() throws -> [StoredKey] {
        try database.read { try $0.keys() }.sorted { left, right in
            (left.details.seedName, left.details.path) < (right.details.seedName, right.details.path)
        }
    }

    /// Names of the seeds that have keys here, in byte order. Needs no credential.
    public func seedNames() throws -> [String] {
        Set(try keys().map(\.details.seedName)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    // MARK: Payloads

    /// What a payload asks for. Writes nothing.
    ///
    /// - Parameter credential: opens the seed that a payload for derived keys needs; nil refuses such a payload.
    /// - Throws: ``RefusedPayload`` if nothing of it can be shown, ``SignerError`` for damage.
    public func process(_ payload: [UInt8], credential: SecretBytes? = nil) throws -> Answer {
        try process(payload, phrases: credential.map { OpenPhrases(seeds: seeds, credential: $0) })
    }

    func process(_ payload: [UInt8], phrases: OpenPhrases?) throws -> Answer {
        try database.read { trees in
            try PayloadProcessor(trees: trees, cache: cache, phrases: phrases).process(payload)
        }
    }
}
