import Foundation
import GRDB

/// The trees inside a transaction, to read.
class Trees: TreeReader {
    let connection: GRDB.Database
    let sealing: RowSealing
    let schema: UInt32
    let key: VaultKey?
    let cache: KeyCache
    /// What the trees hold, once it was asked for.
    final var opened: Inventory?

    init(connection: GRDB.Database, sealing: RowSealing, schema: UInt32, key: VaultKey?, cache: KeyCache) {
        self.connection = connection
        self.sealing = sealing
        self.schema = schema
        self.key = key
        self.cache = cache
    }

    /// Whether the file has the tree; files of earlier schemas lack some, which are empty trees to who reads them.
    func has(_ tree: Tree) -> Bool { Tree.all(ofSchema: schema).contains(tree) }

    func value(_ tree: Tree, _ key: [UInt8]) throws -> [UInt8]? {
        guard has(tree) else { return nil }
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
        guard has(tree) else { return [] }
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
        let (key, stored) = try stored(row, of: tree)
        return try sealing.pair(tree, row: key, stored: stored)
    }

    /// A row as it lies in the file.
    func stored(_ row: Row, of tree: Tree) throws -> (key: [UInt8], value: [UInt8]) {
        guard let key = Self.bytes(row[0]) else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: "a key that is not bytes"))
        }
        guard let value = Self.bytes(row[1]) else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(key)))
        }
        return (key, value)
    }

    /// SQLite keeps any type in any column: a file from elsewhere may hold what was never written here.
    ///
    /// - Returns: nil unless the stored value is bytes.
    static func bytes(_ stored: DatabaseValue) -> [UInt8]? {
        guard case .blob(let data) = stored.storage else { return nil }
        return Array(data)
    }

    func count(_ tree: Tree) throws -> Int {
        guard has(tree) else { return 0 }
        return try Int.fetchOne(connection, sql: "SELECT count(*) FROM \"\(tree.rawValue)\"") ?? 0
    }

    /// Whether what is private here is sealed, and the key is there.
    var isSealed: Bool { if case .sealed = sealing { true } else { false } }
}
