import Foundation
import GRDB
import MainKey

/// The private rows of a vault, in a rotation. Rows of addresses get other keys too: those are codes of the epoch.
///
/// Each row carries its epoch: after a crash at any moment the rotation is run again. Others look meanwhile. Whoever runs it holds
/// the vault's lock, so that nobody else writes.
struct RowRotation: RotationPlace {
    let database: ColdDatabase
    /// In one transaction, at the most.
    var batchRowCount = 500

    var title: String { "addresses and log" }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        try database.readPublic { trees in
            try Tree.privateTrees.reduce(into: try trees.countDigests(notOf: epoch)) { sum, tree in
                sum.total += try trees.count(tree)
                sum.old += try trees.count(tree, notOf: epoch)
            }
        }
    }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let (keys, epoch) = (vault.keys, try vault.activeEpoch)
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
        let count = try database.write(under: keys) { try $0.resealDigests(notOf: epoch) }
        if count > 0 { try done(count) }
    }
}

extension Tree {
    fileprivate static var privateTrees: [Tree] { allCases.filter { $0.privacy != .none } }
}

extension Trees {
    /// Bytes 2 to 5 of a sealed value are its epoch; SQLite counts from 1. What is not bytes is unequal by its type.
    fileprivate static func isOld(_ column: String) -> String { "substr(\(column), 3, 4) <> ?" }

    fileprivate static func bytes(_ epoch: UInt32) -> Data { withUnsafeBytes(of: epoch.bigEndian) { Data($0) } }

    fileprivate func count(_ tree: Tree, notOf epoch: UInt32) throws -> Int {
        let sql = "SELECT count(*) FROM \"\(tree.rawValue)\" WHERE \(Self.isOld("value"))"
        return try Int.fetchOne(connection, sql: sql, arguments: [Self.bytes(epoch)]) ?? 0
    }

    fileprivate func countDigests(notOf epoch: UInt32) throws -> (total: Int, old: Int) {
        try StoredDigest.allCases.reduce(into: (0, 0)) { sum, digest in
            let (total, old) = try count(digest, notOf: epoch)
            sum = (sum.0 + total, sum.1 + old)
        }
    }

    fileprivate func count(_ digest: StoredDigest, notOf epoch: UInt32) throws -> (total: Int, old: Int) {
        let sql = "SELECT count(*), count(*) FILTER (WHERE \(Self.isOld("digest"))) FROM \(digest.rawValue)"
        let row = try Row.fetchOne(connection, sql: sql, arguments: [Self.bytes(epoch)])
        return (row?[0] ?? 0, row?[1] ?? 0)
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
        let last = last.map { Data($0) }
        let rows = try Row.fetchAll(connection, sql: sql, arguments: [Self.bytes(epoch), last, last, limit])
        for row in rows {
            let pair = try pair(row, of: tree)
            // In the place of the old row, under whichever key that was.
            try put(tree, pair.key, pair.value)
        }
        guard rows.count == limit, let last = rows.last else { return (rows.count, nil) }
        return (rows.count, Array(last["key"] as Data))
    }

    /// - Returns: for how many that was needed.
    fileprivate func resealDigests(notOf epoch: UInt32) throws -> Int {
        var count = 0
        for digest in StoredDigest.allCases where try self.count(digest, notOf: epoch).old > 0 {
            guard let value = try stored(digest) else { continue }
            try store(digest, value)
            count += 1
        }
        return count
    }
}
