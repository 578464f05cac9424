import GRDB
import MainKey

/// A column by its names, as they are part of its key: byte by byte, whatever letter case SQLite would take.
struct ColumnPlace: Hashable, Sendable {
    var table: String
    var column: String

    var purpose: SealedPurpose { .column(table: table, column: column) }
}

extension ColumnPlace: CustomStringConvertible {
    var description: String { "\(table).\(column)" }
}

/// What values are tied to.
public enum RowTie: Sendable {
    case none
    /// The row id, as ``RowBinding/rowID(_:)`` has it.
    case rowID

    func binding(_ rowID: Int64) -> RowBinding {
        switch self {
        case .none: .none
        case .rowID: .rowID(rowID)
        }
    }
}

/// Names of an existing table, ready to stand in SQL. Names come from outside; nothing is quoted before it was found in
/// the schema, because SQLite takes a quoted name that it does not know for a text.
struct TableNames {
    private let table: String
    private let columns: Set<String>
    /// One of SQLite's names of the row id, not quoted.
    let rowID: String
    let quoted: String

    /// - Throws: `noSuchTable`, `noRowIDs`, `DatabaseError`.
    init(_ table: String, in db: Database) throws {
        let found = try Row.fetchOne(
            db, sql: "SELECT wr FROM pragma_table_list(?) WHERE schema = 'main' AND type = 'table'", arguments: [table])
        guard let found, !table.utf8.contains(0) else { throw SealedColumnError.noSuchTable(table) }
        let columns = try String.fetchSet(db, sql: "SELECT lower(name) FROM pragma_table_xinfo(?)", arguments: [table])
        let rowID = ["rowid", "_rowid_", "oid"].first { !columns.contains($0) }
        guard found["wr"] == 0, let rowID else { throw SealedColumnError.noRowIDs(table: table) }
        self.table = table
        self.columns = columns
        self.rowID = rowID
        quoted = Self.quote(table)
    }

    /// - Throws: `noSuchColumn`.
    func quoted(_ column: String) throws(SealedColumnError) -> String {
        // SQLite compares names in this form.
        guard columns.contains(TextNormalisation.asciiLowercase(column)), !column.utf8.contains(0) else {
            throw .noSuchColumn("\(table).\(column)")
        }
        return Self.quote(column)
    }

    /// Whether row ids stay what they are through VACUUM: those of an INTEGER PRIMARY KEY do.
    func areRowIDsStable(in db: Database) throws -> Bool {
        let keys = try String.fetchAll(
            db, sql: "SELECT upper(type) FROM pragma_table_info(?) WHERE pk > 0", arguments: [table])
        // A primary key that is not the row id (one declared DESC, for example) has an index of its own.
        let indexes = try Int.fetchOne(
            db, sql: "SELECT count(*) FROM pragma_index_list(?) WHERE origin = 'pk'", arguments: [table])
        return keys == ["INTEGER"] && indexes == 0
    }

    private static func quote(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

/// Runs what may fail in the database, without its arguments in the error: they are values of the tables.
func withoutArguments<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as DatabaseError {
        throw DatabaseError(resultCode: error.extendedResultCode, message: error.message, sql: error.sql)
    }
}
