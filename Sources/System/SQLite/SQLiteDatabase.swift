import CSQLite
import Threads

/// A database of SQLite: one connection, which does one transaction at a time.
///
/// A file is opened for the worst that it may be. No trigger runs with a write and no view stands in the place of a
/// table; its schema calls no function that changes anything; broken pages are found when they are read. What is
/// removed or replaced does not stay in free pages. A change is in the file when ``write(_:)`` returns, and after a
/// crash at any instruction the state is the old one or the new one: there is a rollback journal, synced before and
/// after.
///
/// ```swift
/// let database = try SQLiteDatabase(at: "book.sqlite", access: .write, patience: .seconds(2))
/// try database.write { try $0.execute("INSERT INTO page VALUES (?, ?)", .integer(1), .bytes(bytes)) }
/// let rows = try database.read { try $0.rows("SELECT content FROM page") }
/// ```
///
/// Source: <https://www.sqlite.org/security.html>, <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>
// @unchecked: the connection is used under the lock alone.
package final class SQLiteDatabase: @unchecked Sendable {
    package enum Access: Sendable {
        case read
        /// A file that is missing is made.
        case write
    }

    private let lock = Condition()
    private let connection: SQLiteConnection

    /// Opens a file.
    ///
    /// - Parameter patience: how long to wait for other programs that hold the file.
    /// - Throws: ``SQLiteError``
    package init(at path: String, access: Access, patience: Duration) throws(SQLiteError) {
        // Other beginnings have a meaning: "file:", ":memory:", nothing.
        let path = path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
        let flags = access == .read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        connection = try Self.open(path, flags)
        sqlite3_busy_timeout(
            connection.handle, Int32(clamping: Int64(min(patience, .seconds(3600)) / .milliseconds(1))))
        try connection.configure { connection throws(SQLiteError) in
            if access == .write {
                try connection.execute("PRAGMA journal_mode = DELETE")
                try connection.execute("PRAGMA synchronous = EXTRA")
                try connection.execute("PRAGMA secure_delete = ON")
            }
            try connection.execute("PRAGMA cell_size_check = ON")
            // A file that is no database is found here.
            _ = try connection.rows("SELECT 1 FROM sqlite_master LIMIT 1")
        }
    }

    /// A database in memory, which ends with this value.
    package init() throws(SQLiteError) {
        connection = try Self.open(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    private static func open(_ path: String, _ flags: Int32) throws(SQLiteError) -> SQLiteConnection {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard let handle else { throw SQLiteError(code: SQLITE_NOMEM, of: nil) }
        let connection = SQLiteConnection(handle)
        // What went wrong is asked of a connection that is still there.
        defer { withExtendedLifetime(connection) {} }
        guard code == SQLITE_OK else { throw SQLiteError(code: code, of: handle) }
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        let settings = [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_DQS_DML, 0), (SQLITE_DBCONFIG_DQS_DDL, 0),
        ]
        for (setting, value) in settings {
            let code = casemate_sqlite_switch(handle, setting, Int32(value))
            guard code == SQLITE_OK else { throw SQLiteError(code: code, of: handle) }
        }
        return connection
    }

    /// Reads in one transaction: all of it sees the same state.
    package func read<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try lock.withLock { try connection.reading(body) }
    }

    /// Runs `body` as one transaction: whatever it throws leaves the file as it was.
    package func write<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try lock.withLock { try connection.writing(body) }
    }
}
