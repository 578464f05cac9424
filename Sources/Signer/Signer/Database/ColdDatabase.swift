import Foundation
import GRDB
import MainKey
import SCALE

/// The file that holds everything but seeds: one SQLite table of keys and values for each ``Tree``, the private ones sealed.
///
/// An action is one ``write(_:)``: all of it is on disk when the call returns, or, after a crash at any instruction, none.
struct ColdDatabase: Sendable {
    static let schemaVersion: UInt32 = 1

    private let queue: DatabaseQueue
    let path: String
    /// nil where nothing is sealed: in memory, and in vaults of the first kind.
    private let key: VaultKey?

    /// Makes a new file, which nobody else may read, with empty trees.
    static func create(at path: String, key: VaultKey? = nil) throws -> ColdDatabase {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SignerError.storageUnavailable(path: path, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
        let database = try ColdDatabase(opening: path, readOnly: false, key: key)
        try database.guarded { try database.queue.write(createTrees) }
        return database
    }

    /// - Parameter readOnly: opens without any way to write, for commands that only show.
    init(opening path: String, readOnly: Bool, key: VaultKey? = nil) throws {
        self.path = path
        self.key = key
        var configuration = Configuration()
        configuration.readonly = readOnly
        configuration.busyMode = .timeout(2)
        // A rollback journal, synced before and after: the state after a power cut is the old one or the new one.
        configuration.prepareDatabase { connection in
            if !readOnly {
                try connection.execute(sql: "PRAGMA journal_mode = DELETE")
                try connection.execute(sql: "PRAGMA synchronous = EXTRA")
                // What is removed or replaced does not stay in free pages.
                try connection.execute(sql: "PRAGMA secure_delete = ON")
            }
            try connection.execute(sql: "PRAGMA trusted_schema = OFF")
            try connection.execute(sql: "PRAGMA cell_size_check = ON")
        }
        do {
            queue = try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw Self.translate(error, path: path)
        }
    }

    /// A database in memory with empty trees, to look at payloads without a vault.
    static func inMemory() throws -> ColdDatabase {
        let database = ColdDatabase(queue: try DatabaseQueue())
        try database.queue.write(createTrees)
        return database
    }

    private static func createTrees(_ connection: GRDB.Database) throws {
        for tree in Tree.allCases {
            let columns = "key BLOB PRIMARY KEY, value BLOB NOT NULL"
            try connection.execute(sql: "CREATE TABLE \"\(tree.rawValue)\" (\(columns)) WITHOUT ROWID")
        }
        for digest in StoredDigest.allCases {
            try connection.execute(sql: "CREATE TABLE \(digest.rawValue) (digest BLOB NOT NULL)")
        }
    }

    /// Undoes what a crash left half written. A reader cannot do it, so whoever opens for reading does this first; where
    /// nothing is left over it touches nothing.
    static func recover(at path: String) throws {
        guard FileManager.default.fileExists(atPath: path + "-journal") else { return }
        _ = try ColdDatabase(opening: path, readOnly: false).readPublic { try $0.count(.settings) }
    }

    private init(queue: DatabaseQueue) {
        self.queue = queue
        path = ":memory:"
        key = nil
    }

    /// Unlocks the vault if need be: before the transaction begins, which waits for nobody.
    func read<R>(_ body: (Trees) throws -> R) throws -> R {
        try sealing { sealing in
            try guarded {
                try queue.read { connection in
                    try noteEpochs(connection)
                    return try body(Trees(connection: connection, sealing: sealing))
                }
            }
        }
    }

    /// Reads what is public, and needs no key for it.
    func readPublic<R>(_ body: (Trees) throws -> R) throws -> R {
        let sealing: RowSealing = key == nil ? .clear : .closed
        return try guarded { try queue.read { try body(Trees(connection: $0, sealing: sealing)) } }
    }

    /// Runs `body` as one transaction: whatever it throws leaves the file as it was.
    func write<R>(_ body: (MutableTrees) throws -> R) throws -> R {
        try sealing { sealing in
            try guarded {
                try queue.write { connection in
                    try noteEpochs(connection)
                    return try body(MutableTrees(connection: connection, sealing: sealing))
                }
            }
        }
    }

    /// Runs `body` as one transaction of a rotation, with its keys.
    func write<R>(under keys: EpochKeys, _ body: (MutableTrees) throws -> R) throws -> R {
        try guarded { try queue.write { try body(MutableTrees(connection: $0, sealing: .sealed(keys))) } }
    }

    /// Changes what needs no key: empties trees.
    func writePublic<R>(_ body: (MutableTrees) throws -> R) throws -> R {
        let sealing: RowSealing = key == nil ? .clear : .closed
        return try guarded { try queue.write { try body(MutableTrees(connection: $0, sealing: sealing)) } }
    }

    /// Takes over the epochs that another process has begun or ended.
    ///
    /// A rotation gives the vault an epoch before any row is of it, and takes one away when no row is. So this comes behind the
    /// first look at the file, from which on no row changes: without it a row of a new epoch would not be found at all.
    private func noteEpochs(_ connection: GRDB.Database) throws {
        guard let key else { return }
        _ = try Int.fetchOne(connection, sql: "SELECT 1 FROM settings LIMIT 1")
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
        guard let error = error as? DatabaseError else { return error }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return SignerError.vaultBusy(path: path)
        case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_SCHEMA:
            return SignerError.databaseDamaged(.file(path: path, reason: error.message ?? "\(error.resultCode)"))
        default: return SignerError.storageUnavailable(path: path, reason: error.message ?? "\(error.resultCode)")
        }
    }
}

/// The trees inside a transaction, to read.
class Trees: TreeReader {
    let connection: GRDB.Database
    fileprivate let sealing: RowSealing

    fileprivate init(connection: GRDB.Database, sealing: RowSealing) {
        self.connection = connection
        self.sealing = sealing
    }

    func value(_ tree: Tree, _ key: [UInt8]) throws -> [UInt8]? {
        let stored = try sealing.storedKeys(tree, key)
        let places = Array(repeating: "?", count: stored.count).joined(separator: ", ")
        let rows = try Row.fetchAll(
            connection, sql: "SELECT key, value FROM \"\(tree.rawValue)\" WHERE key IN (\(places))",
            arguments: StatementArguments(stored.map { Data($0) }))
        guard let row = rows.first else { return nil }
        let pair = try pair(row, of: tree)
        guard pair.key == key, rows.count == 1 else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(key)))
        }
        return pair.value
    }

    /// All pairs in byte order of their keys.
    func pairs(_ tree: Tree) throws -> [(key: [UInt8], value: [UInt8])] {
        let rows = try Row.fetchAll(connection, sql: "SELECT key, value FROM \"\(tree.rawValue)\" ORDER BY key")
        let pairs = try rows.map { try pair($0, of: tree) }
        // Stored keys of such a tree are in no order that means anything.
        guard tree.privacy == .keysAndValues else { return pairs }
        return pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// The pairs of a tree with public keys that begin with `prefix`, in byte order.
    func pairs(_ tree: Tree, prefix: [UInt8]) throws -> [(key: [UInt8], value: [UInt8])] {
        precondition(tree.privacy != .keysAndValues, "sealed keys have no beginnings")
        let sql = "SELECT key, value FROM \"\(tree.rawValue)\" WHERE substr(key, 1, ?) = ? ORDER BY key"
        return try Row.fetchAll(connection, sql: sql, arguments: [prefix.count, Data(prefix)]).map { row in
            try pair(row, of: tree)
        }
    }

    func pair(_ row: Row, of tree: Tree) throws -> (key: [UInt8], value: [UInt8]) {
        guard let key = Self.bytes(row["key"]) else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: "a key that is not bytes"))
        }
        guard let value = Self.bytes(row["value"]) else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(key)))
        }
        return try sealing.pair(tree, row: key, stored: value)
    }

    /// SQLite keeps any type in any column: a file from elsewhere may hold what was never written here.
    ///
    /// - Returns: nil unless the stored value is bytes.
    private static func bytes(_ stored: DatabaseValue) -> [UInt8]? {
        guard case .blob(let data) = stored.storage else { return nil }
        return Array(data)
    }

    func count(_ tree: Tree) throws -> Int {
        try Int.fetchOne(connection, sql: "SELECT count(*) FROM \"\(tree.rawValue)\"") ?? 0
    }

    /// A digest as it was stored.
    func stored(_ digest: StoredDigest) throws -> [UInt8]? {
        try Row.fetchOne(connection, sql: "SELECT digest FROM \(digest.rawValue)").map { row in
            guard let stored = Self.bytes(row["digest"]) else { throw SignerError.databaseDamaged(digest.damage) }
            return try sealing.open(digest, stored: stored)
        }
    }

    /// Whether what is private here is sealed, and the key is there.
    var isSealed: Bool { if case .sealed = sealing { true } else { false } }
}

/// The trees inside a transaction, to read and change.
final class MutableTrees: Trees {
    func put(_ tree: Tree, _ key: [UInt8], _ value: [UInt8]) throws {
        let sql =
            "INSERT INTO \"\(tree.rawValue)\" (key, value) VALUES (?, ?) "
            + "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        let rows = try sealing.storedKeys(tree, key)
        let stored = try sealing.storedValue(tree, row: rows[0], key: key, value: value)
        try remove(rows.dropFirst(), from: tree)
        try connection.execute(sql: sql, arguments: [Data(rows[0]), Data(stored)])
    }

    func remove(_ tree: Tree, _ key: [UInt8]) throws {
        try remove(sealing.storedKeys(tree, key)[...], from: tree)
    }

    private func remove(_ rows: ArraySlice<[UInt8]>, from tree: Tree) throws {
        for row in rows {
            try connection.execute(sql: "DELETE FROM \"\(tree.rawValue)\" WHERE key = ?", arguments: [Data(row)])
        }
    }

    /// Empties a tree; a tree that is empty already is not written to.
    func removeAll(_ tree: Tree) throws {
        guard try count(tree) > 0 else { return }
        try connection.execute(sql: "DELETE FROM \"\(tree.rawValue)\"")
    }

    func store(_ digest: StoredDigest, _ value: [UInt8]) throws {
        let stored = try sealing.seal(digest, value)
        try connection.execute(sql: "DELETE FROM \(digest.rawValue)")
        try connection.execute(sql: "INSERT INTO \(digest.rawValue) (digest) VALUES (?)", arguments: [Data(stored)])
    }
}
