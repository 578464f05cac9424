import CSQLite

/// What SQLite reports of a call, without the values that it was called with.
package struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it means for whoever uses the database.
    package enum Kind: Sendable {
        /// Another program holds the file.
        case busy
        /// The file is no database.
        case foreign
        /// The file is not what the statements expect, or its pages are broken.
        case damaged
        /// There is no room left.
        case full
        case other
    }

    /// The extended result code, one of `SQLITE_…`.
    package let code: Int32
    package let reason: String

    init(code: Int32, of connection: OpaquePointer?) {
        self.code = code
        reason = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
    }

    package var kind: Kind {
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_NOTADB: .foreign
        case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_SCHEMA: .damaged
        case SQLITE_FULL: .full
        default: .other
        }
    }

    package var description: String { "SQLite error \(code): \(reason)" }
}
