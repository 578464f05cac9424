import SQLite

/// The tables of a database, and nothing else: no view stands in the place of a table, no trigger runs with a write.
enum TableShape {
    /// Statements by the name of what they make, as SQLite keeps them.
    private static let tables: [String: String] = {
        var tables = [Inventory.table: "CREATE TABLE \(Inventory.table) (\(Inventory.column) BLOB NOT NULL)"]
        for tree in Tree.allCases {
            let columns = "key BLOB PRIMARY KEY, value BLOB NOT NULL"
            tables[tree.rawValue] = "CREATE TABLE \"\(tree.rawValue)\" (\(columns)) WITHOUT ROWID"
        }
        return tables
    }()

    /// The statements of a schema that has an inventory.
    private static func tables(ofSchema schema: UInt32) -> [String: String] {
        let names = Tree.all(ofSchema: schema).map(\.rawValue) + [Inventory.table]
        return tables.filter { names.contains($0.key) }
    }

    static func create(_ connection: SQLiteConnection) throws {
        for tree in Tree.allCases { try create(tree.rawValue, connection) }
        try create(Inventory.table, connection)
    }

    static func create(_ table: String, _ connection: SQLiteConnection) throws {
        guard let statement = tables[table] else { preconditionFailure("\(table) is no table of a vault") }
        try connection.execute(statement)
    }

    /// - Throws: `databaseDamaged` that names what is missing.
    static func check(_ connection: SQLiteConnection, schema: UInt32 = ColdDatabase.schemaVersion) throws {
        let tables = tables(ofSchema: schema)
        var found: [String: String] = [:]
        for row in try connection.rows("SELECT name, sql FROM sqlite_master") {
            found[row[0].text ?? ""] = row[1].text ?? ""
        }
        if let missing = tables.keys.sorted().first(where: { found[$0] == nil }) {
            throw SignerError.databaseDamaged(.tableMissing(missing))
        }
        guard found == tables else { throw SignerError.databaseDamaged(.tables) }
    }
}
