import GRDB
import GRDBSQLite

/// A prepared statement that is bound and read in place, for the rotation: the arguments and rows of GRDB cost as much
/// there as opening and sealing. GRDB does not see what it changes, and has to be told
/// (``notifyChanges(selectedBy:)``).
struct RawStatement {
    // Keeps `handle` valid.
    private let statement: Statement
    private let handle: SQLiteStatement
    private let db: Database

    /// The destructor that makes SQLite copy what is bound.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(_ sql: String, in db: Database) throws {
        statement = try db.cachedStatement(sql: sql)
        handle = statement.sqliteStatement
        self.db = db
    }

    /// - Parameter position: from 1, as for all that binds.
    func bind(_ integer: Int64, at position: CInt) {
        sqlite3_bind_int64(handle, position, integer)
    }

    /// - Parameter bytes: nil for NULL.
    func bind(_ bytes: [UInt8]?, at position: CInt) {
        if let bytes {
            sqlite3_bind_blob64(handle, position, bytes, UInt64(bytes.count), Self.transient)
        } else {
            sqlite3_bind_null(handle, position)
        }
    }

    /// - Returns: whether there is a row; when there is none, the statement is ready to be run again.
    func step() throws -> Bool {
        let code = sqlite3_step(handle)
        if code == SQLITE_ROW { return true }
        reset()
        guard code == SQLITE_DONE else {
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: db.lastErrorMessage)
        }
        return false
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    /// Tells those who observe the database that the columns that a statement reads were changed. The region is that of
    /// the statement because GRDB does not quote a table's name safely.
    func notifyChanges(selectedBy sql: String) throws {
        try db.notifyChanges(in: db.cachedStatement(sql: sql).databaseRegion)
    }

    /// - Parameter column: from 0, as for all that reads.
    func integer(_ column: CInt) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// - Returns: nil unless the column holds bytes.
    func bytes(_ column: CInt) -> [UInt8]? {
        guard sqlite3_column_type(handle, column) == SQLITE_BLOB else { return nil }
        // SQLite has no address for no bytes.
        let start = sqlite3_column_blob(handle, column)
        return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
    }
}
