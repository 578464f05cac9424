import BasicFoundation
import SQLite

/// The trees inside a transaction, to read.
class Trees: TreeReader {
    let connection: SQLiteConnection
    let sealing: RowSealing
    let schema: UInt32
    let key: VaultKey?
    let cache: KeyCache
    /// What the trees hold, once it was asked for.
    final var opened: Inventory?

    init(connection: SQLiteConnection, sealing: RowSealing, schema: UInt32, key: VaultKey?, cache: KeyCache) {
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
        let sql = "SELECT key, value FROM \"\(tree.rawValue)\" WHERE key IN (\(places))"
        let rows = try connection.rows(sql, stored.map { .bytes($0) })
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
        let rows = try connection.rows("SELECT key, value FROM \"\(tree.rawValue)\" ORDER BY key")
        let pairs = try rows.map { try pair($0, of: tree) }
        // Stored keys of such a tree are in no order that means anything.
        guard tree.privacy == .keysAndValues else { return pairs }
        return pairs.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }

    /// The pairs of a tree with public keys that begin with `prefix`, in byte order.
    func pairs(_ tree: Tree, prefix: [UInt8]) throws -> [(key: [UInt8], value: [UInt8])] {
        precondition(tree.privacy != .keysAndValues, "sealed keys have no beginnings")
        let sql = "SELECT key, value FROM \"\(tree.rawValue)\" WHERE substr(key, 1, ?) = ? ORDER BY key"
        return try connection.rows(sql, [.integer(Int64(prefix.count)), .bytes(prefix)]).map { try pair($0, of: tree) }
    }

    func pair(_ row: [SQLiteValue], of tree: Tree) throws -> (key: [UInt8], value: [UInt8]) {
        let (key, stored) = try stored(row, of: tree)
        return try sealing.pair(tree, row: key, stored: stored)
    }

    /// A row as it lies in the file. A file from elsewhere may hold values that are not bytes.
    func stored(_ row: [SQLiteValue], of tree: Tree) throws -> (key: [UInt8], value: [UInt8]) {
        guard let key = row[0].bytes else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: "a key that is not bytes"))
        }
        guard let value = row[1].bytes else {
            throw SignerError.databaseDamaged(.row(tree: tree.rawValue, key: hexText(key)))
        }
        return (key, value)
    }

    func count(_ tree: Tree) throws -> Int {
        guard has(tree) else { return 0 }
        return try connection.number("SELECT count(*) FROM \"\(tree.rawValue)\"")
    }

    /// Whether what is private here is sealed, and the key is there.
    var isSealed: Bool { if case .sealed = sealing { true } else { false } }
}
