import CSQLite

/// A statement that is under way.
struct SQLiteStatement: ~Copyable {
    private let connection: OpaquePointer
    private let statement: OpaquePointer

    /// - Throws: ``SQLiteError`` where the file has not what the statement names.
    init(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) {
        statement = try Self.prepared(sql, on: connection)
        self.connection = connection
    }

    private static func prepared(_ sql: String, on connection: OpaquePointer) throws(SQLiteError) -> OpaquePointer {
        var statement: OpaquePointer?
        let (code, isWhole) = sql.withCString { text in
            var rest: UnsafePointer<CChar>?
            let code = sqlite3_prepare_v2(connection, text, -1, &statement, &rest)
            return (code, rest?.pointee == 0)
        }
        guard code == SQLITE_OK, let statement else { throw SQLiteError(code: code, of: connection) }
        precondition(isWhole, "one statement at a time: \(sql)")
        return statement
    }

    deinit { sqlite3_finalize(statement) }

    /// - Parameter values: of the parameters `?`, in their order.
    func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        precondition(sqlite3_bind_parameter_count(statement) == values.count, "a value for each parameter")
        for (index, value) in values.enumerated() {
            let code = bind(value, Int32(index + 1))
            guard code == SQLITE_OK else { throw SQLiteError(code: code, of: connection) }
        }
    }

    private func bind(_ value: SQLiteValue, _ index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): casemate_sqlite_bind_text(statement, index, text, sqlite3_uint64(text.utf8.count))
        case .bytes(let bytes):
            bytes.withUnsafeBytes {
                casemate_sqlite_bind_bytes(statement, index, $0.baseAddress, sqlite3_uint64($0.count))
            }
        }
    }

    /// Whether it leaves the file as it is.
    var isReading: Bool { sqlite3_stmt_readonly(statement) != 0 }

    /// The next row; nil behind the last.
    mutating func next() throws(SQLiteError) -> [SQLiteValue]? {
        switch sqlite3_step(statement) {
        case SQLITE_DONE: return nil
        case SQLITE_ROW: return (0..<sqlite3_column_count(statement)).map { value($0) }
        case let code: throw SQLiteError(code: code, of: connection)
        }
    }

    private func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            return .text(String(decoding: content(sqlite3_column_text(statement, column), column), as: UTF8.self))
        case SQLITE_BLOB: return .bytes(Array(content(sqlite3_column_blob(statement, column), column)))
        default: return .null
        }
    }

    /// Its length is to be asked for behind its place.
    private func content(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }
}
