import CSQLite

/// What a transaction does its work with.
///
/// It is of use only inside the call of ``SQLiteDatabase`` that hands it out.
package final class SQLiteConnection {
    let handle: OpaquePointer
    /// Whether a transaction that may change something is under way.
    private var isWriting = false
    /// Told of each statement before it runs, to see what work is done.
    package var onStatement: ((String) -> Void)?

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_close_v2(handle) }

    // MARK: Statements

    /// Runs a statement; rows that it gives are left.
    package func execute(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) {
        var statement = try statement(sql, values)
        while try statement.next() != nil {}
    }

    /// All rows of a query.
    ///
    /// - Parameter values: of the parameters `?`, in their order.
    package func rows(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) -> [[SQLiteValue]] {
        var statement = try statement(sql, values)
        var rows: [[SQLiteValue]] = []
        while let row = try statement.next() { rows.append(row) }
        return rows
    }

    /// Hands out the rows of a query one by one, so that they are never in memory all at once.
    package func forEachRow(of sql: String, _ body: ([SQLiteValue]) throws -> Void) throws {
        var statement = try statement(sql, [])
        while let row = try statement.next() { try body(row) }
    }

    /// The number in the only row and column of a query, such as a count.
    package func number(_ sql: String, _ values: SQLiteValue...) throws(SQLiteError) -> Int {
        Int(try rows(sql, values).first?.first?.integer ?? 0)
    }

    package func hasTable(_ name: String) throws(SQLiteError) -> Bool {
        try number("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", .text(name)) > 0
    }

    /// A name as it may stand in a statement.
    package static func quoted(_ name: String) -> String {
        "\"" + name.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }

    private func statement(_ sql: String, _ values: [SQLiteValue]) throws(SQLiteError) -> SQLiteStatement {
        onStatement?(sql)
        let statement = try SQLiteStatement(sql, on: handle)
        try statement.bind(values)
        precondition(isWriting || statement.isReading, "a transaction that reads does not write: \(sql)")
        return statement
    }

    // MARK: Transactions

    func reading<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        try execute("BEGIN DEFERRED")
        return try finished { try body(self) }
    }

    /// Asks for the right to write before anything is read: what was read is still so when it is written.
    func writing<R>(_ body: (SQLiteConnection) throws -> R) throws -> R {
        isWriting = true
        defer { isWriting = false }
        try execute("BEGIN IMMEDIATE")
        return try finished { try body(self) }
    }

    private func finished<R>(_ body: () throws -> R) throws -> R {
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // After some errors SQLite has done it. Where it fails, the next one to open the file does it.
            if sqlite3_get_autocommit(handle) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Runs statements of a setting outside a transaction.
    func configure(_ body: (SQLiteConnection) throws(SQLiteError) -> Void) throws(SQLiteError) {
        isWriting = true
        defer { isWriting = false }
        try body(self)
    }
}
