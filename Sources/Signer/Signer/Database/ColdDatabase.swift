import BasicFoundation
import MainKey
import SCALE
import SQLite

/// The file that holds everything but seeds: one SQLite table of keys and values for each ``Tree``, the private ones
/// sealed.
///
/// An action is one ``write(_:)``: all of it is on disk when the call returns, or, after a crash at any instruction,
/// none. What the trees hold is written with them, as an ``Inventory``.
struct ColdDatabase: Sendable {
    static let schemaVersion: UInt32 = 3
    /// The schema that has an inventory, and no contacts yet.
    static let secondSchema: UInt32 = 2

    private let file: SQLiteDatabase
    let path: String
    /// The schema that the file names; a file of schema 1 has no inventory.
    private(set) var schema: UInt32
    /// nil where nothing is sealed: in memory, and in vaults of the first kind.
    private let key: VaultKey?
    private let cache = KeyCache()

    /// Makes a new file, which no other user may read, with empty trees.
    static func create(at path: String, key: VaultKey? = nil) throws -> ColdDatabase {
        try VaultFile(path).create()
        let database = ColdDatabase(file: try file(path, readOnly: false), path: path, key: key)
        try database.sealing { sealing in
            let digest = try database.guarded {
                try database.file.write { connection in
                    try TableShape.create(connection)
                    return try database.mutableTrees(connection, sealing).beginInventory()
                }
            }
            try key?.changeKnownFiles { $0.database = [digest] }
        }
        return database
    }

    /// - Parameter readOnly: opens without any way to write, for commands that only show.
    /// - Throws: `dbSchemaMismatch`; `databaseDamaged` where a table is missing or there is more than the tables.
    init(opening path: String, readOnly: Bool, key: VaultKey? = nil) throws {
        self.init(file: try Self.file(path, readOnly: readOnly), path: path, key: key)
        schema = try guarded { try file.read(Self.checkedSchema) }
    }

    private static func file(_ path: String, readOnly: Bool) throws -> SQLiteDatabase {
        do { return try SQLiteDatabase(at: path, access: readOnly ? .read : .write, patience: .seconds(2)) } catch {
            throw translate(error, path: path)
        }
    }

    private init(file: SQLiteDatabase, path: String, key: VaultKey? = nil) {
        self.file = file
        self.path = path
        self.key = key
        schema = Self.schemaVersion
    }

    /// A database in memory with empty trees, to look at payloads without a vault.
    static func inMemory() throws -> ColdDatabase {
        let database = ColdDatabase(file: try SQLiteDatabase(), path: ":memory:")
        try database.file.write { connection in
            try TableShape.create(connection)
            _ = try database.mutableTrees(connection, .clear).beginInventory()
        }
        return database
    }

    private static func checkedSchema(_ connection: SQLiteConnection) throws -> UInt32 {
        guard try connection.hasTable(Tree.settings.rawValue) else {
            throw SignerError.databaseDamaged(.tableMissing(Tree.settings.rawValue))
        }
        let rows = try connection.rows(
            "SELECT value FROM settings WHERE key = ?", [.bytes(Setting.schemaVersion.key)])
        guard let value = rows.first?[0].bytes, value.count == 4 else {
            throw SignerError.databaseDamaged(.missingSetting(Setting.schemaVersion.rawValue))
        }
        let found = value.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch found {
        case FirstForm.schemaVersion: break
        case secondSchema, schemaVersion:
            try TableShape.check(connection, schema: found)
            for (table, damage) in [(Tree.history.rawValue, SignerError.Damage.log), (Inventory.table, .inventory)] {
                // From the first day on there is an entry.
                guard try connection.number("SELECT EXISTS (SELECT 1 FROM \(table))") == 1 else {
                    throw SignerError.databaseDamaged(damage)
                }
            }
        default: throw SignerError.dbSchemaMismatch(expected: schemaVersion, found: found)
        }
        return found
    }

    /// Undoes what a crash left half written. A connection that only reads cannot do it, so this comes before a
    /// database is opened for reading; where nothing is left over it touches nothing.
    static func recover(at path: String) throws {
        guard FileManager.default.fileExists(atPath: path + "-journal") else { return }
        _ = try ColdDatabase(opening: path, readOnly: false)
    }

    private func trees(_ connection: SQLiteConnection, _ sealing: RowSealing) -> Trees {
        Trees(connection: connection, sealing: sealing, schema: schema, key: key, cache: cache)
    }

    private func mutableTrees(_ connection: SQLiteConnection, _ sealing: RowSealing) -> MutableTrees {
        MutableTrees(connection: connection, sealing: sealing, schema: schema, key: key, cache: cache)
    }

    /// Forgets the keys that were listed: with a long wait they have to be gone.
    func forgetKeys() { cache.last = KeyCache.Listing() }

    /// Reads in a transaction. The vault is unlocked before that begins, if need be: a transaction waits for no person.
    func read<R>(_ body: (Trees) throws -> R) throws -> R {
        try sealing { sealing in
            try guarded {
                try file.read { connection in
                    try noteEpochs(connection)
                    return try body(trees(connection, sealing))
                }
            }
        }
    }

    /// Reads what is public, and needs no key for it.
    func readPublic<R>(_ body: (Trees) throws -> R) throws -> R {
        let sealing: RowSealing = key == nil ? .clear : .closed
        return try guarded { try file.read { try body(trees($0, sealing)) } }
    }

    /// Runs `body` as one transaction: whatever it throws leaves the file as it was.
    func write<R>(_ body: (MutableTrees) throws -> R) throws -> R {
        try sealing { sealing in
            try commit(sealing) { trees in
                try noteEpochs(trees.connection)
                return try body(trees)
            }
        }
    }

    /// Runs `body` as one transaction of a rotation, with its keys.
    func write<R>(under keys: EpochKeys, _ body: (MutableTrees) throws -> R) throws -> R {
        try commit(.sealed(keys), body)
    }

    /// Changes what needs no key: empties trees that are not counted.
    func writePublic<R>(_ body: (MutableTrees) throws -> R) throws -> R {
        try commit(key == nil ? .clear : .closed, body)
    }

    /// Gives a database of the first form, which its rules find whole, an inventory, in one transaction.
    func upgraded() throws -> ColdDatabase {
        var upgraded = self
        upgraded.schema = Self.schemaVersion
        try upgraded.write { trees in
            let log = try FirstForm.log(trees)
            try log.verified()
            try FirstForm.checkPublicTrees(trees)
            for digest in FirstForm.StoredDigest.allCases {
                try trees.connection.execute("DROP TABLE IF EXISTS \(digest.rawValue)")
            }
            for table in [Inventory.table, Tree.contacts.rawValue] { try TableShape.create(table, trees.connection) }
            try trees.takeInventory(log: log.digest)
            try trees.putSchemaVersion()
            // The rest is as it would have been made.
            try TableShape.check(trees.connection)
        }
        return upgraded
    }

    /// Gives a database of schema 2 the trees of today, in one transaction: killed before its end it is what it was.
    func extended() throws -> ColdDatabase {
        try write { try $0.addTrees() }
        var extended = self
        extended.schema = Self.schemaVersion
        return extended
    }

    /// The vault is told of the new state before it counts and, once it does, that the old one is over: killed in
    /// between, both are taken.
    private func commit<R>(_ sealing: RowSealing, _ body: (MutableTrees) throws -> R) throws -> R {
        var change: MutableTrees.InventoryChange?
        let result = try guarded {
            try file.write { connection in
                let trees = mutableTrees(connection, sealing)
                let result = try body(trees)
                change = try trees.storeInventory()
                if let change, let key {
                    try key.changeKnownFiles { $0.expectDatabase(change.after, behind: change.before) }
                    CrashPoint.reach("database.noted")
                }
                return result
            }
        }
        CrashPoint.reach("database.written")
        // What is written stays written if this fails; the next change notes it.
        if let change, let key { try? key.changeKnownFiles { $0.settleDatabase(change.after) } }
        return result
    }

    /// Takes over the epochs that another process has begun or ended.
    ///
    /// A rotation gives the vault an epoch before any row is of it, and takes one away when no row is. So this comes
    /// behind the first look at the file, from which on no row changes: without it a row of a new epoch would not be
    /// found at all.
    private func noteEpochs(_ connection: SQLiteConnection) throws {
        guard let key else { return }
        _ = try connection.rows("SELECT 1 FROM settings LIMIT 1")
        key.engine.refresh()
    }

    private func sealing<R>(_ body: (RowSealing) throws -> R) throws -> R {
        guard let key else { return try body(.clear) }
        return try key.withKeys { try body(.sealed($0)) }
    }

    private func guarded<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw Self.translate(error, path: path) }
    }

    /// What SQLite reports, in the words of the vault.
    private static func translate(_ error: any Error, path: String) -> any Error {
        guard let error = error as? SQLiteError else { return error }
        return switch error.kind {
        case .busy: SignerError.vaultBusy(path: path)
        case .damaged, .foreign: SignerError.databaseDamaged(.file(path: path, reason: error.reason))
        case .full: SignerError.storageUnavailable(path: path, reason: SignerError.diskIsFull)
        case .other: SignerError.storageUnavailable(path: path, reason: error.reason)
        }
    }
}
