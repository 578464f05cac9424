import Foundation
import GRDB
import MainKey

/// Seals the values of a database anew in the active epoch, so that the keys of old ones can be destroyed.
///
///     let rotator = SealedColumnRotator(pool, columns: [RegisteredColumn(UserEmail.self)])
///     try rotator.rotate(in: vault)
///     guard try rotator.remaining(in: vault) == 0 else { … }
///
/// Each value carries its epoch: after a crash at any moment, run it again. Others read and write meanwhile. What they
/// write in the old epoch behind the point that has been reached counts in ``remaining(in:)``, and the next run takes
/// it. Once the rotation has ended there is none: a record that was fetched before is not to be saved any more
/// (``Sealed/renewed(in:row:)``).
///
/// Triggers that the file has run as for any change, also one that somebody put there: what it writes is no newer than
/// what they could have written themselves. Where that has to be noticed, values are counted (``FreshRows``).
///
/// Source: `mainkey` section 15.
public struct SealedColumnRotator: Sendable {
    /// How many rows are rotated in one transaction.
    static let batchRowCount = 500
    /// How long another process that writes is waited for.
    private static let busySeconds = 10.0

    private let database: any DatabaseWriter
    private let columns: [RegisteredColumn]
    /// What counts the values that are sealed anew.
    private let rows: FreshRows?
    /// The columns, behind the database's path if that is known; for progress and messages.
    public let title: String

    public init(_ database: any DatabaseWriter, columns: [RegisteredColumn]) {
        self.init(database, columns: columns, path: nil, counting: nil)
    }

    /// - Parameter rows: counts the values that are sealed anew.
    init(_ database: any DatabaseWriter, columns: [RegisteredColumn], counting rows: FreshRows) {
        self.init(database, columns: columns, path: nil, counting: rows)
    }

    private init(
        _ database: any DatabaseWriter, columns: [RegisteredColumn], path: String?, counting rows: FreshRows?
    ) {
        self.database = database
        self.columns = columns
        self.rows = rows
        let names = columns.map { "\($0.place.table).\($0.place.column)" }.joined(separator: ", ")
        title = path.map { "\($0): \(names)" } ?? names
    }

    /// Opens an existing database.
    ///
    /// - Throws: `noSuchDatabase`, `DatabaseError`.
    public init(path: String, columns: [RegisteredColumn]) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw SealedColumnError.noSuchDatabase(path: path) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(Self.busySeconds)
        self.init(
            try DatabaseQueue(path: path, configuration: configuration), columns: columns, path: path,
            counting: nil)
    }

    /// - Parameter progress: told after each transaction of up to 500 rows.
    /// - Throws: ``SealedColumnError``, `MainKeyError`, `DatabaseError` without arguments.
    public func rotate(
        in vault: borrowing UnlockedVault, progress: (SealingProgress) throws -> Void = { _ in }
    ) throws {
        try withoutArguments {
            let active = try vault.activeEpoch
            var state = SealingProgress(done: 0, total: try remaining(in: vault))
            try progress(state)
            if rows == nil { try database.read { db in try FreshRows.checkNone(in: db) } }
            for column in columns {
                let rotation = try database.read { db in try ColumnRotation(column, to: active, in: db) }
                try seal(rotation, in: vault, from: &state, progress)
            }
        }
    }

    /// Seals a column anew, each batch in a transaction of its own.
    private func seal(
        _ rotation: ColumnRotation, in vault: borrowing UnlockedVault, from state: inout SealingProgress,
        _ progress: (SealingProgress) throws -> Void
    ) throws {
        var next: Int64? = .min
        while let first = next {
            let batch = try database.write { db in
                guard let rows else {
                    return try rotation.sealBatch(from: first, limit: Self.batchRowCount, in: vault, db)
                }
                return try rows.counting(in: vault, db) {
                    try rotation.sealBatch(from: first, limit: Self.batchRowCount, in: vault, db)
                }
            }
            state.done += batch.count
            if batch.count > 0 { try progress(state) }
            next = batch.next
        }
    }

    /// How many values are not of the active epoch, cleartext included. An old epoch may end when it is zero.
    public func remaining(in vault: borrowing UnlockedVault) throws -> Int {
        let active = try vault.activeEpoch
        return try withoutArguments {
            try database.read { db in
                try columns.reduce(0) { try $0 + ColumnRotation($1, to: active, in: db).count(db) }
            }
        }
    }

    /// How many values there are, and how many of them are not of an epoch, cleartext included. Needs no key.
    public func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        try withoutArguments {
            try database.read { db in
                try columns.reduce(into: (total: 0, old: 0)) { sum, column in
                    let rotation = try ColumnRotation(column, to: epoch, in: db)
                    sum.total += try rotation.countAll(db)
                    sum.old += try rotation.count(db)
                }
            }
        }
    }
}

/// Lets a vault rotate the column with everything else: `try await vault.rotate([rotator])`.
extension SealedColumnRotator: RotationPlace {
    public func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        var before = 0
        try rotate(in: vault) { progress in
            try done(progress.done - before)
            before = progress.done
        }
    }
}
