import Foundation
import GRDB
import MainKey
import Synchronization

/// What one transaction changes in the counted columns.
///
/// The tallies lie in a temporary table while it runs: what SQLite takes back of a transaction, as it does for a
/// statement that fails and for a savepoint, it takes back of them too.
final class CountedChanges: Sendable {
    /// The name of the SQL function that the triggers call.
    static let function = "mainkey_fresh_row"
    /// The temporary table with the tally of each column, by its number.
    static let table = "mainkey_fresh_tallies"

    /// Why a value could not be counted, which SQLite tells in its own words.
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs changes of a transaction, and counts them.
    ///
    /// - Returns: what `body` returns, and what the columns amount to behind it.
    /// - Throws: what `body` throws; why a value could not be counted. The transaction is to be rolled back then.
    static func counted<R>(
        _ columns: [CountedColumn], from count: RowCount, keys: EpochKeys, in db: Database, _ body: () throws -> R
    ) throws -> (result: R, tallies: [Tally]) {
        let changes = CountedChanges()
        let function = DatabaseFunction(Self.function, argumentCount: 5) { [changes] values in
            try changes.tally(values, columns, epoch: count.epoch, keys: keys)
        }
        db.add(function: function)
        defer { db.remove(function: function) }
        // Else a row that another one replaces goes without a word.
        let isRecursive = try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers") ?? false
        if !isRecursive { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
        defer { if !isRecursive { try? db.execute(sql: "PRAGMA recursive_triggers = OFF") } }
        try db.execute(sql: "CREATE TEMP TABLE \(table) (number INTEGER PRIMARY KEY, tally BLOB NOT NULL)")
        for (number, tally) in count.tallies.enumerated() {
            try db.execute(sql: "INSERT INTO temp.\(table) VALUES (?, ?)", arguments: [number, Data(tally.bytes)])
        }
        let triggers = columns.flatMap(\.triggers)
        for trigger in triggers { try db.execute(sql: trigger.sql) }
        let result: R
        do { result = try body() } catch { throw changes.failure.withLock { $0 } ?? error }
        if let failure = changes.failure.withLock({ $0 }) { throw failure }
        let tallies = try Data.fetchAll(db, sql: "SELECT tally FROM temp.\(table) ORDER BY number").map(tally)
        // Those of a transaction that is rolled back go with it.
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER temp.\(trigger.name)") }
        try db.execute(sql: "DROP TABLE temp.\(table)")
        return (result, tallies)
    }

    private static func tally(_ bytes: Data) throws -> Tally {
        guard let tally = Tally(Array(bytes)) else {
            throw MainKeyError.internalFailure(reason: "what a transaction counts is no tally")
        }
        return tally
    }

    /// - Parameter values: as ``CountedColumn/triggers`` gives them.
    /// - Returns: the tally with the value, or without it.
    private func tally(
        _ values: [DatabaseValue], _ columns: [CountedColumn], epoch: UInt32, keys: EpochKeys
    ) throws -> Data {
        do {
            guard let number = Int.fromDatabaseValue(values[0]), columns.indices.contains(number),
                let isNew = Bool.fromDatabaseValue(values[1]), let bytes = Data.fromDatabaseValue(values[2]),
                let rowID = Int64.fromDatabaseValue(values[3])
            else { throw MainKeyError.internalFailure(reason: "a trigger told of no row") }
            let code = try columns[number].code(of: values[4], rowID: rowID, epoch: epoch, keys: keys)
            guard let code else { return bytes }
            if isNew { try columns[number].checkHeld(values[4], rowID: rowID, keys: keys) }
            var tally = try Self.tally(bytes)
            if isNew { tally.add(code) } else { tally.subtract(code) }
            return Data(tally.bytes)
        } catch {
            failure.withLock { $0 = $0 ?? error }
            throw error
        }
    }
}
