import BigEndian
import MainKey
import SQLite

/// The private rows of a vault, in a rotation. Rows of addresses get other keys too: those are codes of the epoch. The
/// inventory comes first: what changes from then on is counted with the new key.
///
/// Each row carries its epoch: after a crash at any moment the rotation is run again. Other programs may read
/// meanwhile. The vault's lock is held while it runs, so that no other program writes.
struct RowRotation: RotationPlace {
    let database: ColdDatabase
    /// How many rows are rotated in one transaction at most.
    var batchRowCount = 500

    var title: String { "addresses and log" }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        try database.readPublic { trees in
            try Tree.privateTrees.filter(trees.has).reduce(into: try trees.countInventory(notOf: epoch)) { sum, tree in
                sum.total += try trees.count(tree)
                sum.old += try trees.count(tree, notOf: epoch)
            }
        }
    }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let (keys, epoch) = (vault.keys, try vault.activeEpoch)
        if try database.readPublic({ try $0.countInventory(notOf: epoch).old > 0 }) {
            // Counted with the new key, as with any change from now on.
            try database.write(under: keys) { try $0.changeInventory { _ in } }
            try done(1)
        }
        for tree in Tree.privateTrees {
            var last: [UInt8]?
            repeat {
                let batch = try database.write(under: keys) { trees in
                    defer { CrashPoint.reach("rotate.rows") }
                    return try trees.reseal(tree, notOf: epoch, behind: last, limit: batchRowCount)
                }
                if batch.count > 0 { try done(batch.count) }
                last = batch.last
            } while last != nil
        }
    }
}

extension Tree {
    fileprivate static var privateTrees: [Tree] { allCases.filter { $0.privacy != .none } }
}

extension Trees {
    /// Bytes 2 to 5 of a sealed value are its epoch; SQLite counts from 1. What is not bytes is unequal by its type.
    fileprivate static func isOld(_ column: String) -> String { "substr(\(column), 3, 4) <> ?" }

    fileprivate static func bytes(_ epoch: UInt32) -> SQLiteValue { .bytes([UInt8](bigEndian: epoch)) }

    fileprivate func count(_ tree: Tree, notOf epoch: UInt32) throws -> Int {
        let sql = "SELECT count(*) FROM \"\(tree.rawValue)\" WHERE \(Self.isOld("value"))"
        return try connection.number(sql, Self.bytes(epoch))
    }

    fileprivate func countInventory(notOf epoch: UInt32) throws -> (total: Int, old: Int) {
        let old = Self.isOld(Inventory.column)
        let sql = "SELECT count(*), count(*) FILTER (WHERE \(old)) FROM \(Inventory.table)"
        let counts = try connection.rows(sql, [Self.bytes(epoch)])[0].map { Int($0.integer ?? 0) }
        return (counts[0], counts[1])
    }
}

extension MutableTrees {
    /// Seals the next rows anew that are not of an epoch, which is the active one.
    ///
    /// - Parameter last: the stored key that the batch before ended with.
    /// - Returns: how many, and the stored key that the last of them had; nil at the end.
    fileprivate func reseal(
        _ tree: Tree, notOf epoch: UInt32, behind last: [UInt8]?, limit: Int
    ) throws -> (count: Int, last: [UInt8]?) {
        let sql = """
            SELECT key, value FROM "\(tree.rawValue)" WHERE \(Self.isOld("value")) AND (? IS NULL OR key > ?)
            ORDER BY key LIMIT ?
            """
        let behind: SQLiteValue = last.map { .bytes($0) } ?? .null
        let rows = try connection.rows(sql, [Self.bytes(epoch), behind, behind, .integer(Int64(limit))])
        for row in rows {
            let pair = try pair(row, of: tree)
            // In the place of the old row, under whichever key that was.
            try put(tree, key: pair.key, value: pair.value)
        }
        guard rows.count == limit, let last = rows.last else { return (rows.count, nil) }
        return (rows.count, last[0].bytes)
    }
}
