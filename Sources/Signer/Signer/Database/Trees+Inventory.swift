import MainKey
import SQLite
import Substrate

/// What the trees hold, compared with what the vault says that they hold.
extension Trees {
    /// What a pending item is bound to: a digest of every tree but `transaction`, which changes when any row of them
    /// does.
    func stateDigest() throws -> [UInt8] { try inventory()?.digest ?? StateDigest.state(self) }

    /// nil in a database of the first form, which has none.
    ///
    /// - Throws: `databaseDamaged` where it is missing, is not one that this vault wrote, or is older than the last.
    func inventory() throws -> Inventory? {
        guard schema != FirstForm.schemaVersion else { return nil }
        if let opened { return opened }
        let rows = try connection.rows("SELECT \(Inventory.column) FROM \(Inventory.table) LIMIT 2")
        guard rows.count == 1, let stored = rows[0][0].bytes else {
            throw SignerError.databaseDamaged(.inventory)
        }
        let content = try sealing.open(stored, for: Inventory.purpose, orThrow: .inventory)
        guard let inventory = try? Inventory(scaleEncoded: content, schema: schema) else {
            throw SignerError.databaseDamaged(.inventory)
        }
        guard try key?.knownFiles().database.contains(inventory.digest) ?? true else {
            throw SignerError.databaseDamaged(.olderDatabase)
        }
        opened = inventory
        return inventory
    }

    /// Compares the rows of trees with the inventory, opening none of them.
    ///
    /// - Throws: `databaseDamaged` with the first tree that holds something else.
    func check(_ trees: [Tree]? = nil) throws {
        guard let inventory = try inventory() else { return }
        let trees = trees ?? inventory.trees
        for tree in trees where try tally(tree, epoch: inventory.epoch) != inventory[tree] {
            throw SignerError.databaseDamaged(.tree(tree.rawValue))
        }
    }

    /// Compares networks, metadata and settings, with which payloads are shown. Trees that are not sealed have nothing
    /// to be compared with.
    func checkPublicTrees() throws {
        guard isSealed else { return }
        guard schema != FirstForm.schemaVersion else { return try FirstForm.checkPublicTrees(self) }
        try check(Tree.counted.filter { $0.privacy == .none })
    }

    /// All stored addresses, in byte order of their keys. A row is opened only if it was not before, and all of them
    /// are compared with the inventory.
    func keys() throws -> [StoredKey] {
        guard let inventory = try inventory() else {
            return try pairs(.addresses).map { try storedKey($0.key, value: $0.value) }
        }
        let known = cache.last
        if known.tally == inventory[.addresses] { return known.keys }
        var listing = KeyCache.Listing()
        listing.tally = try tally(.addresses, epoch: inventory.epoch) { code, row, stored in
            if let key = known.byCode[code] {
                listing.byCode[code] = key
            } else {
                let pair = try sealing.pair(.addresses, row: row, stored: stored)
                listing.byCode[code] = try storedKey(pair.key, value: pair.value)
            }
        }
        guard listing.tally == inventory[.addresses] else {
            throw SignerError.databaseDamaged(.tree(Tree.addresses.rawValue))
        }
        listing.keys = listing.byCode.values.map { (row: $0.signer.scaleEncoded, key: $0) }
            .sorted { $0.row.lexicographicallyPrecedes($1.row) }.map(\.key)
        cache.last = listing
        return listing.keys
    }

    /// Counts the rows of a tree, as they lie in the file.
    ///
    /// A search finds what this walk finds, because keys rise: in a file whose pages were moved about they do not.
    func tally(
        _ tree: Tree, epoch: UInt32,
        _ body: (RowCode, _ row: [UInt8], _ stored: [UInt8]) throws -> Void = { _, _, _ in }
    ) throws -> Tally {
        var tally = Tally()
        var last: [UInt8]?
        try connection.forEachRow(of: "SELECT key, value FROM \"\(tree.rawValue)\" ORDER BY key") { row in
            let (key, value) = try stored(row, of: tree)
            guard last?.lexicographicallyPrecedes(key) ?? true else {
                throw SignerError.databaseDamaged(.tree(tree.rawValue))
            }
            let code = try sealing.code(tree, row: key, stored: value, epoch: epoch)
            tally.add(code)
            try body(code, key, value)
            last = key
        }
        return tally
    }

    func storedValue(_ tree: Tree, row: [UInt8]) throws -> [UInt8]? {
        let sql = "SELECT key, value FROM \"\(tree.rawValue)\" WHERE key = ?"
        return try connection.rows(sql, [.bytes(row)]).first.map { try stored($0, of: tree).value }
    }
}
