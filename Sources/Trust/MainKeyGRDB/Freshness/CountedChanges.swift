import GRDB
import MainKey
import Synchronization

/// What one transaction changes in the counted columns.
final class CountedChanges: Sendable {
    /// The name of the SQL function that the triggers call.
    static let function = "mainkey_fresh_row"

    private struct State {
        var tallies: [Tally]
        /// Why a value could not be counted, which SQLite tells in its own words.
        var failure: (any Error)?
    }

    private let state: Mutex<State>

    private init(_ count: RowCount) { state = Mutex(State(tallies: count.tallies)) }

    /// Runs changes of a transaction, and counts them.
    ///
    /// - Returns: what `body` returns, and what the columns amount to behind it.
    /// - Throws: what `body` throws; why a value could not be counted. The transaction is to be rolled back then.
    static func counted<R>(
        _ columns: [CountedColumn], from count: RowCount, keys: EpochKeys, in db: Database, _ body: () throws -> R
    ) throws -> (result: R, tallies: [Tally]) {
        let changes = CountedChanges(count)
        let function = DatabaseFunction(Self.function, argumentCount: 4) { [changes] values in
            try changes.note(values, columns, epoch: count.epoch, keys: keys)
            return nil
        }
        db.add(function: function)
        defer { db.remove(function: function) }
        // Else a row that another one replaces goes without a word.
        let isRecursive = try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers") ?? false
        if !isRecursive { try db.execute(sql: "PRAGMA recursive_triggers = ON") }
        defer { if !isRecursive { try? db.execute(sql: "PRAGMA recursive_triggers = OFF") } }
        let triggers = columns.flatMap(\.triggers)
        for trigger in triggers { try db.execute(sql: trigger.sql) }
        let result: R
        do { result = try body() } catch { throw changes.state.withLock { $0.failure } ?? error }
        if let failure = changes.state.withLock({ $0.failure }) { throw failure }
        // Those of a transaction that is rolled back go with it.
        for trigger in triggers { try db.execute(sql: "DROP TRIGGER temp.\(trigger.name)") }
        return (result, changes.state.withLock { $0.tallies })
    }

    /// - Parameter values: as ``CountedColumn/triggers`` gives them.
    private func note(_ values: [DatabaseValue], _ columns: [CountedColumn], epoch: UInt32, keys: EpochKeys) throws {
        do {
            guard let number = Int.fromDatabaseValue(values[0]), columns.indices.contains(number),
                let isNew = Bool.fromDatabaseValue(values[1]), let rowID = Int64.fromDatabaseValue(values[2])
            else { throw MainKeyError.internalFailure(reason: "a trigger told of no row") }
            let code = try columns[number].code(of: values[3], rowID: rowID, epoch: epoch, keys: keys)
            guard let code else { return }
            state.withLock { isNew ? $0.tallies[number].add(code) : $0.tallies[number].subtract(code) }
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            throw error
        }
    }
}
