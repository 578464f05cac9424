import Foundation
import GRDB
import MainKey

/// Seals existing cleartext columns in place, and then leaves no byte of the cleartext in the files of the database.
///
///     try SealedRecordMigrator(pool, columns: [
///         CleartextColumn(UserEmail.self, of: String.self),
///         CleartextColumn(UserNote.self, of: String.self, tiedTo: .rowID),
///     ]).migrate(in: vault)
///
/// What opens at its place is sealed already: after a crash at any moment, or an error, run it again, until it returns.
/// It rewrites the whole file; note that it is done, as for any migration. The application must not write cleartext
/// meanwhile.
///
/// It does not reach what triggers copied elsewhere, backups, and blocks that the file system freed; and a column of a
/// STRICT table has to be declared BLOB or ANY before.
///
/// Source: `mainkey` section 25.
public struct SealedRecordMigrator: Sendable {
    /// How many rows are sealed in one transaction.
    static let batchRowCount = 500

    private let database: any DatabaseWriter
    private let columns: [CleartextColumn]

    public init(_ database: any DatabaseWriter, columns: [CleartextColumn]) {
        self.database = database
        self.columns = columns
    }

    /// - Parameter progress: told after each transaction of up to 500 rows.
    /// - Throws: ``SealedColumnError``, `MainKeyError`, `DatabaseError` without arguments.
    public func migrate(
        in vault: borrowing UnlockedVault, progress: (SealingProgress) -> Void = { _ in }
    ) throws {
        try withoutArguments {
            let migrations = try database.read { db in
                try FreshRows.checkNone(in: db)
                return try columns.map { try ColumnMigration($0, in: db) }
            }
            var state = SealingProgress(
                done: 0, total: try database.read { db in try migrations.reduce(0) { try $0 + $1.count(db) } })
            progress(state)
            let erasure = CleartextErasure(database)
            try erasure.withSecureDelete {
                for migration in migrations { try seal(migration, in: vault, from: &state, progress) }
                try erasure.rewriteFile(tables: Set(columns.map(\.place.table)))
            }
        }
    }

    /// Seals a column, each batch in a transaction of its own.
    private func seal(
        _ migration: ColumnMigration, in vault: borrowing UnlockedVault, from state: inout SealingProgress,
        _ progress: (SealingProgress) -> Void
    ) throws {
        var next: Int64? = .min
        while let first = next {
            let batch = try database.write { db in
                try migration.sealBatch(from: first, limit: Self.batchRowCount, in: vault, db)
            }
            state.done += batch.count
            if batch.count > 0 { progress(state) }
            next = batch.next
        }
    }
}

/// The migration of one column, with its SQL.
private struct ColumnMigration {
    private let column: CleartextColumn
    private let countSQL: String
    private let selectSQL: String
    private let updateSQL: String

    /// - Throws: `noSuchTable`, `noSuchColumn`, `noRowIDs`, `unstableRowIDs`.
    init(_ column: CleartextColumn, in db: Database) throws {
        self.column = column
        let names = try TableNames(column.place.table, in: db)
        if case .rowID = column.tie, try !names.areRowIDsStable(in: db) {
            throw SealedColumnError.unstableRowIDs(table: column.place.table)
        }
        let value = try names.quoted(column.place.column)
        let index = try column.indexColumn.map { try names.quoted($0) }
        countSQL = "SELECT count(\(value)) FROM \(names.quoted)"
        selectSQL = """
            SELECT \(names.rowID), \(value) FROM \(names.quoted)
            WHERE \(names.rowID) >= ? AND \(value) IS NOT NULL ORDER BY \(names.rowID) LIMIT ?
            """
        let assignments = [value, index].compactMap { $0 }.map { "\($0) = ?" }.joined(separator: ", ")
        updateSQL = "UPDATE \(names.quoted) SET \(assignments) WHERE \(names.rowID) = ?"
    }

    func count(_ db: Database) throws -> Int {
        try Int.fetchOne(db.cachedStatement(sql: countSQL)) ?? 0
    }

    /// Seals the next values that are not sealed yet, within a transaction.
    ///
    /// - Returns: how many values were looked at, and the row id to go on from; nil at the end.
    func sealBatch(
        from first: Int64, limit: Int, in vault: borrowing UnlockedVault, _ db: Database
    ) throws -> (count: Int, next: Int64?) {
        let select = try db.cachedStatement(sql: selectSQL)
        let batch = try Row.fetchAll(select, arguments: [first, limit])
            .map { row -> (rowID: Int64, stored: DatabaseValue) in (row[0], row[1]) }
        let update = try db.cachedStatement(sql: updateSQL)
        for (rowID, stored) in batch {
            guard let new = try replacement(of: stored, rowID, in: vault) else { continue }
            let arguments: [(any DatabaseValueConvertible)?] =
                column.indexColumn == nil
                ? [Data(new.value), rowID] : [Data(new.value), new.index.map { Data($0) }, rowID]
            try update.execute(arguments: StatementArguments(arguments))
        }
        guard batch.count == limit, let last = batch.last, last.rowID < .max else { return (batch.count, nil) }
        return (batch.count, last.rowID + 1)
    }

    /// - Returns: nil for what is sealed already.
    private func replacement(
        of stored: DatabaseValue, _ rowID: Int64, in vault: borrowing UnlockedVault
    ) throws -> CleartextColumn.Replacement? {
        let row = column.tie.binding(rowID)
        do throws(MainKeyError) {
            if case .blob(let data) = stored.storage, try isSealed(Array(data), row: row, in: vault) { return nil }
            if let new = try column.seal(stored, vault, row) { return new }
        } catch .locked {
            throw MainKeyError.locked
        } catch {
            throw SealedColumnError.value(column: "\(column.place)", rowID: rowID, error)
        }
        throw SealedColumnError.unreadable(column: "\(column.place)", rowID: rowID, type: column.type)
    }

    /// Whether bytes are a sealed value of this place.
    ///
    /// - Throws: `authFailed` for what looks like one and does not open. To seal it again would make what was changed,
    ///   or moved here, look authentic.
    private func isSealed(
        _ bytes: [UInt8], row: RowBinding, in vault: borrowing UnlockedVault
    ) throws(MainKeyError) -> Bool {
        do throws(MainKeyError) {
            try vault.withOpened(bytes, column.place.purpose, row: row) { _, _ in }
            return true
        } catch {
            switch error {
            case .truncated, .unsupportedVersion, .wrongPurpose, .unknownEpoch: return false
            default: throw error
            }
        }
    }
}
