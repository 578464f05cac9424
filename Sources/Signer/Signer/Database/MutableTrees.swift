import MainKey
import SCALE
import SQLite

/// The trees inside a transaction, to read and change.
final class MutableTrees: Trees {
    /// The states of the trees before a transaction and behind it, by their digests.
    struct InventoryChange {
        /// nil where there was none.
        var before: [UInt8]?
        var after: [UInt8]
    }

    private var isChanged = false
    private var digestBefore: [UInt8]?
    /// The keys whose secret is out, while no row of keys has changed since they were looked up.
    var exposed: ExposedKeys?

    func put(_ tree: Tree, key: [UInt8], value: [UInt8]) throws {
        let rows = try sealing.storedKeys(tree, key)
        for row in rows.dropFirst() { try replace(tree, row: row, by: nil) }
        try replace(
            tree, row: rows[0], by: sealing.storedValue(tree, row: rows[0], key: key, value: value))
    }

    func remove(_ tree: Tree, _ key: [UInt8]) throws {
        for row in try sealing.storedKeys(tree, key) { try replace(tree, row: row, by: nil) }
    }

    /// Empties a tree; a tree that is empty already is not written to.
    func removeAll(_ tree: Tree) throws {
        guard try count(tree) > 0 else { return }
        if tree == .addresses { exposed = nil }
        if tree.isCounted {
            try changeInventory { inventory in
                _ = try tally(tree, epoch: inventory.epoch) { code, _, _ in inventory[tree].subtract(code) }
            }
        }
        try connection.execute("DELETE FROM \"\(tree.rawValue)\"")
    }

    /// - Parameter stored: nil removes the row.
    private func replace(_ tree: Tree, row: [UInt8], by stored: [UInt8]?) throws {
        if tree == .addresses { exposed = nil }
        if tree.isCounted {
            let old = try storedValue(tree, row: row)
            guard old != nil || stored != nil else { return }
            try changeInventory { inventory in
                func code(_ value: [UInt8]) throws -> RowCode {
                    try sealing.code(tree, row: row, stored: value, epoch: inventory.epoch)
                }
                if let old { inventory[tree].subtract(try code(old)) }
                if let stored { inventory[tree].add(try code(stored)) }
            }
        }
        guard let stored else {
            return try connection.execute("DELETE FROM \"\(tree.rawValue)\" WHERE key = ?", .bytes(row))
        }
        let sql =
            "INSERT INTO \"\(tree.rawValue)\" (key, value) VALUES (?, ?) "
            + "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
        try connection.execute(sql, .bytes(row), .bytes(stored))
    }

    // MARK: What the trees hold

    /// Changes what the inventory says, which ``storeInventory()`` writes.
    func changeInventory(_ body: (inout Inventory) throws -> Void) throws {
        guard var inventory = try inventory() else { preconditionFailure("the first form is not written") }
        if !isChanged { digestBefore = inventory.digest }
        let epoch = try sealing.epoch
        if inventory.epoch != epoch {
            // A rotation has begun: what the old key vouches for is counted with the new one.
            try check()
            inventory = try counted(epoch: epoch, log: inventory.log)
        }
        try body(&inventory)
        opened = inventory
        isChanged = true
    }

    /// Takes what is in the trees for what belongs there.
    func takeInventory(log: [UInt8]) throws {
        opened = try counted(epoch: sealing.epoch, log: log)
        isChanged = true
    }

    /// Writes the inventory of trees that were just made.
    ///
    /// - Returns: its digest.
    func beginInventory() throws -> [UInt8] {
        try takeInventory(log: HistoryLog.emptyDigest)
        guard let change = try storeInventory() else { preconditionFailure("it was just taken") }
        return change.after
    }

    /// Writes what has become of the inventory: the last step of a transaction.
    ///
    /// - Returns: nil if nothing that is counted was changed.
    func storeInventory() throws -> InventoryChange? {
        guard isChanged, let inventory = opened else { return nil }
        let stored = try sealing.seal(inventory.scaleEncoded, Inventory.purpose)
        try connection.execute("DELETE FROM \(Inventory.table)")
        try connection.execute(
            "INSERT INTO \(Inventory.table) (\(Inventory.column)) VALUES (?)", .bytes(stored))
        return InventoryChange(before: digestBefore, after: inventory.digest)
    }

    private func counted(epoch: UInt32, log: [UInt8]) throws -> Inventory {
        var inventory = Inventory(epoch: epoch, log: log, schema: schema)
        for tree in inventory.trees { inventory[tree] = try tally(tree, epoch: epoch) }
        return inventory
    }

    /// Gives a file of schema 2, whose rows were compared with its inventory, the trees that it lacks, which are empty.
    func addTrees() throws {
        try check()
        for tree in Tree.allCases where !has(tree) { try TableShape.create(tree.rawValue, connection) }
        try putSchemaVersion()
        opened?.extend()
        try TableShape.check(connection)
    }

    /// Marks the file as one of this version's form.
    func putSchemaVersion() throws {
        try put(.settings, key: Setting.schemaVersion.key, value: HistoryLog.key(order: ColdDatabase.schemaVersion))
    }
}
