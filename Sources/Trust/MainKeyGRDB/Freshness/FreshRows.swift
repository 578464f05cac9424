import Foundation
import GRDB
import MainKey
import SecretMemory

/// Has a vault notice that the values of sealed columns are not those that were written last: one that was put back,
/// exchanged, added or removed, or the whole database.
///
///     let rows = FreshRows(User.columns, named: "users", in: vault)
///     try rows.recount(database)                                       // once, and after a restoration
///     try rows.write(database) { db, vault in try user.update(db) }
///     try rows.verify(database)                                        // when the application begins
///
/// The database keeps, sealed, a keyed sum over all values with their rows, which every ``write(_:anchors:_:)`` brings
/// up to date in the same transaction, and a number that rises with each. The vault keeps the last number and sum in
/// an item. Whatever is changed in the database alone does not amount to the sum; an older database has a lower number
/// than the vault; and an older vault is noticed as its protection says, with a strict anchor always.
///
/// The schema is kept with the sum, since a trigger or a foreign key of the file's would change rows within a
/// transaction that is counted. Change it within ``write(_:anchors:_:)``; where something else has to, as GRDB's
/// migrator, verify before it and ``recount(_:)`` behind it. Of several counts in one database, the others are to
/// count anew also where one writes the change.
///
/// Counting a changed value takes two HMACs, verifying one HMAC for each value there is. Each anchoring is one commit
/// of the vault: with a strict anchor two operations of the TPM. What was written behind the last anchoring can be
/// put back to that one. Rows that have NULL in all counted columns, and columns that are not counted, are not
/// covered; nor is a reader told before it verifies.
///
/// Whoever writes otherwise than by ``write(_:anchors:_:)`` changes what the values amount to, and the next
/// verification refuses it.
///
/// Source: `mainkey` section 25.
public struct FreshRows: Sendable {
    static let table = "mainkey_fresh_rows"
    private static let purpose = SealedPurpose.column(table: table, column: "content")
    /// The columns of one count.
    package static let columnLimit = 64

    private let columns: [RegisteredColumn]
    private let name: String
    private let vault: MainKeyVault

    private var label: String { "rows/\(name)" }

    /// - Parameters:
    ///   - columns: at most ``columnLimit``; all that are to be covered, in an order that stays.
    ///   - name: of the count: the vault's item is `rows/` and this name.
    ///   - vault: unlocked whenever something is written or verified.
    public init(_ columns: [RegisteredColumn], named name: String, in vault: MainKeyVault) {
        precondition(columns.count <= Self.columnLimit, "a count has \(Self.columnLimit) columns at the most")
        self.columns = columns
        self.name = name
        self.vault = vault
    }

    // MARK: Writing

    /// Runs changes in one transaction and counts them.
    ///
    /// - Parameters:
    ///   - anchors: whether the vault is told at once. Where many transactions follow one another, tell it after the
    ///     last by ``anchor(_:)``.
    ///   - updates: what it throws rolls everything back.
    /// - Throws: before `updates` is run, `notFound` before the first ``recount(_:)``; `tampered` for a count that this
    ///   vault did not write, where the vault's note of it is missing, or for another schema; `rolledBack` for a
    ///   database that is older than the vault knows it; `locked`, ``SealedColumnError``, among them `forgottenEpoch`
    ///   for a record that was fetched before a rotation ended; `DatabaseError`; what ``anchor(_:)`` throws, behind
    ///   the transaction.
    public func write<R>(
        _ database: some DatabaseWriter, anchors: Bool = true,
        _ updates: (Database, borrowing UnlockedVault) throws -> R
    ) throws -> R {
        try vault.withUnlocked { vault in
            let result = try database.write { db in try counting(in: vault, db) { try updates(db, vault) } }
            if anchors { try anchor(database, vault) }
            return result
        }
    }

    /// Runs changes of a transaction and counts them.
    func counting<R>(in vault: borrowing UnlockedVault, _ db: Database, _ updates: () throws -> R) throws -> R {
        // What is written to an older database would pass for the newest of all.
        var count = try fresh(in: vault, db)
        let (result, tallies) = try CountedChanges.counted(
            try countedColumns(db), from: count, keys: vault.keys, in: db, updates)
        count.number += 1
        count.tallies = tallies
        try store(count, in: vault, db)
        return result
    }

    /// Tells the vault what the database holds now: a commit of the vault. An older database is noticed from then on.
    ///
    /// - Throws: `rolledBack` where the vault knows of a newer one; what a change of an item throws.
    public func anchor(_ database: some DatabaseWriter) throws {
        try vault.withUnlocked { try anchor(database, $0) }
    }

    func anchor(_ database: some DatabaseWriter, _ unlocked: borrowing UnlockedVault) throws {
        // Nobody writes meanwhile, so that the vault's number only rises.
        try database.write { db in
            let count = try fresh(in: unlocked, db)
            if try count != anchored() { try note(count) }
        }
    }

    // MARK: Verifying

    /// Compares all values with what they amount to, and that with what the vault was told last.
    ///
    /// - Throws: `rolledBack` where a value was put back, exchanged, added or removed, or the database is an older one;
    ///   `tampered` where the count or the vault's note of it is missing or another's, or the schema is another;
    ///   `notFound` before the first ``recount(_:)``; `locked`, ``SealedColumnError``, `DatabaseError`.
    public func verify(_ database: some DatabaseReader) throws {
        try vault.withUnlocked { try verify(database, in: $0) }
    }

    func verify(_ database: some DatabaseReader, in vault: borrowing UnlockedVault) throws {
        // Before the database: what others anchor meanwhile is newer than what is looked at.
        let known = try note()
        try database.read { db in
            let count = try fresh(in: vault, db, known: known)
            try compare(count, in: db, keys: vault.keys)
        }
    }

    private func compare(_ count: RowCount, in db: Database, keys: EpochKeys) throws {
        for (column, tally) in zip(try countedColumns(db), count.tallies) {
            guard try column.tally(epoch: count.epoch, keys: keys, db) == tally else {
                throw refusal("values of \(column.place) are not those that were written last")
            }
        }
    }

    private func refusal(_ reason: String) -> MainKeyError {
        .rolledBack(
            reason: "\(reason) (count of rows '\(name)'); if you restored it yourself, have the application count anew")
    }

    // MARK: Counting all

    /// Takes the values and the schema as they are now for those that were written last: for the first time, or because
    /// a person says that they are.
    ///
    /// - Throws: ``SealedColumnError`` for a column that cannot be counted; `locked`, `DatabaseError`, what a change of
    ///   an item throws.
    public func recount(_ database: some DatabaseWriter) throws {
        try vault.withUnlocked { vault in
            // Noted first: that there is a count, and no note of it, is an attack from then on.
            let known = try note()
            if known == nil { try note(RowCount(number: 0, epoch: 0, tallies: [])) }
            try database.write { db in
                try db.execute(
                    sql: """
                        CREATE TABLE IF NOT EXISTS \(Self.table)
                        (name TEXT PRIMARY KEY NOT NULL, epoch INTEGER NOT NULL, content BLOB NOT NULL)
                        """)
                let former = try? current(in: vault, db)
                let number = max(known?.number ?? 0, former?.number ?? 0) + 1
                try store(try allCounted(number: number, in: vault, db), in: vault, db)
            }
            try anchor(database, vault)
        }
    }

    private func allCounted(number: UInt64, in vault: borrowing UnlockedVault, _ db: Database) throws -> RowCount {
        let epoch = try vault.activeEpoch
        let keys = vault.keys
        let tallies = try countedColumns(db).map { try $0.tally(epoch: epoch, keys: keys, db) }
        return RowCount(number: number, epoch: epoch, tallies: tallies)
    }

    // MARK: Rotation

    /// A rotation of the columns that keeps the count right, in place of ``SealedColumnRotator``, which refuses a
    /// database with a count. It verifies first: an older value does not become a new one.
    ///
    /// - Parameter others: sealed columns that are not counted.
    public func rotation(
        of database: some DatabaseWriter, besides others: [RegisteredColumn] = []
    ) -> any RotationPlace {
        FreshRowsRotation(
            rows: self, database: database,
            rotator: SealedColumnRotator(database, columns: columns + others, counting: self))
    }

    /// The epoch of the count; nil for none. Needs no key.
    func epoch(_ db: Database) throws -> UInt32? {
        guard try Self.hasTable(db) else { return nil }
        return try UInt32.fetchOne(db, sql: "SELECT epoch FROM \(Self.table) WHERE name = ?", arguments: [name])
    }

    /// Counts all values under the active epoch, if they are those that were written last.
    func recountAfterRotation(in vault: borrowing UnlockedVault, _ db: Database) throws {
        let count = try fresh(in: vault, db)
        try compare(count, in: db, keys: vault.keys)
        try store(try allCounted(number: count.number + 1, in: vault, db), in: vault, db)
    }

    // MARK: The count

    private func countedColumns(_ db: Database) throws -> [CountedColumn] {
        try columns.enumerated().map { try CountedColumn($0.element.place, number: $0.offset, in: db) }
    }

    static func hasTable(_ db: Database) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = ?", arguments: [table])
            ?? false
    }

    /// - Throws: `counted` for a database that keeps a count.
    static func checkNone(in db: Database) throws {
        guard try !hasTable(db) else { throw SealedColumnError.counted }
    }

    /// Ties a count to its name and columns.
    private var binding: RowBinding {
        let names = [name] + columns.flatMap { [$0.place.table, $0.place.column] }
        return RowBinding(names.flatMap { Array($0.utf8) + [0] })
    }

    /// The count in the database, if it is not older than what the vault was told last, and the schema is its own.
    ///
    /// - Parameter known: what it was told; nil to ask it now.
    private func fresh(
        in vault: borrowing UnlockedVault, _ db: Database, known: RowCount? = nil
    ) throws -> RowCount {
        let count = try current(in: vault, db)
        let known = try known ?? anchored()
        guard count.number > known.number || count == known else {
            throw refusal("the database is older than the vault knows it")
        }
        // Counts of before have none; the next one that is stored has.
        guard try count.schema == nil || count.schema == SchemaDigest.of(db) else {
            throw MainKeyError.tampered(
                reason:
                    "tables, indexes, views or triggers of the database are not those that were written last (count of "
                    + "rows '\(name)'); if the application changed them itself, have it count anew")
        }
        return count
    }

    private func current(in vault: borrowing UnlockedVault, _ db: Database) throws -> RowCount {
        let content =
            try Self.hasTable(db)
            ? DatabaseValue.fetchOne(db, sql: "SELECT content FROM \(Self.table) WHERE name = ?", arguments: [name])
            : nil
        guard let content else {
            guard let known = try note(), known.number > 0 else {
                throw MainKeyError.notFound("count of rows '\(name)'. Begin with recount")
            }
            throw MainKeyError.tampered(reason: "the count of rows '\(name)' is missing in the database")
        }
        guard case .blob(let sealed) = content.storage,
            let opened = try? vault.open(Array(sealed), as: Data.self, Self.purpose, row: binding),
            let count = RowCount(Array(opened)), count.tallies.count == columns.count
        else {
            // Whatever is wrong with it, unless there is no key at all.
            _ = try vault.activeEpoch
            throw MainKeyError.tampered(
                reason: "the count of rows '\(name)' in the database is not one of this vault and these columns")
        }
        return count
    }

    /// Stores a count with the schema that the database has now.
    private func store(_ count: RowCount, in vault: borrowing UnlockedVault, _ db: Database) throws {
        var count = count
        count.schema = try SchemaDigest.of(db)
        let content = Data(try vault.seal(Data(count.bytes), Self.purpose, row: binding))
        try db.execute(
            sql: "INSERT OR REPLACE INTO \(Self.table) (name, epoch, content) VALUES (?, ?, ?)",
            arguments: [name, count.epoch, content])
    }

    // MARK: The vault's note

    /// - Returns: nil if there is none.
    private func note() throws -> RowCount? {
        guard let item = try vault.item(label) else { return nil }
        guard let count = item.withUnsafeBytes({ RowCount(Array($0)) }) else {
            throw MainKeyError.tampered(reason: "the vault's item '\(label)' is no count of rows")
        }
        return count
    }

    private func note(_ count: RowCount) throws {
        var bytes = count.bytes
        try vault.setItem(label, try SecretBytes(movingFrom: &bytes))
    }

    /// What the vault was told last.
    private func anchored() throws -> RowCount {
        guard let count = try note() else {
            throw MainKeyError.tampered(
                reason:
                    "the vault's item '\(label)' is missing, which says what rows there are; if there was never one, "
                    + "have the application count anew")
        }
        return count
    }
}

/// A rotation of counted columns.
private struct FreshRowsRotation<Writer: DatabaseWriter>: RotationPlace {
    let rows: FreshRows
    let database: Writer
    let rotator: SealedColumnRotator

    var title: String { rotator.title }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        var (total, old) = try rotator.count(active: epoch)
        total += 1
        if try database.read({ try rows.epoch($0) }) != epoch { old += 1 }
        return (total, old)
    }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        try rows.verify(database, in: vault)
        try rotator.reseal(in: vault, done: done)
        let active = try vault.activeEpoch
        guard try database.read({ try rows.epoch($0) }) != active else { return }
        try database.write { db in try rows.recountAfterRotation(in: vault, db) }
        try rows.anchor(database, vault)
        try done(1)
    }
}
