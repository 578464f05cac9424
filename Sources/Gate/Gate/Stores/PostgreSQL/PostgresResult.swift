internal import CPostgres

/// What a statement brought: rows in binary form, or how many rows it changed.
final class PostgresResult {
    private let result: OpaquePointer

    /// - Parameter result: owned by this object from here on.
    init(owning result: OpaquePointer) {
        self.result = result
    }

    deinit { PQclear(result) }

    var rowCount: Int { Int(PQntuples(result)) }

    /// How many rows an INSERT, UPDATE or DELETE touched.
    var affectedRows: Int { PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0 }

    func number(row: Int, column: Int) throws(StoreError) -> Int64? {
        guard let bytes = field(row: row, column: column) else { return nil }
        guard bytes.count == 8 else { throw unexpected(column) }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    func time(row: Int, column: Int) throws(StoreError) -> Timestamp? {
        try number(row: row, column: column).map { Timestamp(milliseconds: $0) }
    }

    func boolean(row: Int, column: Int) throws(StoreError) -> Bool? {
        guard let bytes = field(row: row, column: column) else { return nil }
        guard bytes.count == 1 else { throw unexpected(column) }
        return bytes[0] != 0
    }

    func text(row: Int, column: Int) throws(StoreError) -> String? {
        guard let bytes = field(row: row, column: column) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unexpected(column) }
        return text
    }

    func bytes(row: Int, column: Int) -> [UInt8]? { field(row: row, column: column).map { Array($0) } }

    /// A value that the schema does not let be NULL.
    func present<Value>(_ value: Value?, _ column: Int) throws(StoreError) -> Value {
        guard let value else { throw unexpected(column) }
        return value
    }

    private func field(row: Int, column: Int) -> UnsafeRawBufferPointer? {
        guard column < PQnfields(result), row < rowCount, PQgetisnull(result, Int32(row), Int32(column)) == 0,
            let start = PQgetvalue(result, Int32(row), Int32(column))
        else { return nil }
        return UnsafeRawBufferPointer(start: start, count: Int(PQgetlength(result, Int32(row), Int32(column))))
    }

    private func unexpected(_ column: Int) -> StoreError {
        .corrupt("PostgreSQL returned a value of another form in column \(column)")
    }
}
