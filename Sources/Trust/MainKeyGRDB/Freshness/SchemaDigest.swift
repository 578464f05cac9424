import BigEndian
import Cryptography
import GRDB

/// What the schema of a database amounts to: a SHA-256 over the definitions of its tables, indexes, views and triggers.
///
/// They are code of the file's. A trigger, a foreign key with an action or a rule for conflicts changes rows beside
/// those that a statement names, and what is changed so within a counted transaction is counted with it.
///
/// Source: `mainkey` section 25.
enum SchemaDigest {
    static let byteCount = SHA256Hash.byteCount

    /// What ANALYZE makes, at any time, has no effect on rows. Only these very definitions are left out: in a file that
    /// somebody wrote, a trigger can have any name, also one that SQLite keeps for itself.
    private static let statistics = [
        "CREATE TABLE sqlite_stat1(tbl,idx,stat)", "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
    ]

    /// As BLOB: the bytes that SQLite reads, which a zero byte does not end. What has no definition of its own is the
    /// index of a table's, which has it.
    private static let sql = """
        SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB) FROM main.sqlite_master
        WHERE sql IS NOT NULL AND sql NOT IN (?, ?) ORDER BY 1, 2, 3, 4
        """

    static func of(_ db: Database) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let objects = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: StatementArguments(statistics))
        while let object = try objects.next() {
            for column in 0..<4 {
                let field = try object.withUnsafeData(atIndex: column) { $0.map { [UInt8]($0) } } ?? []
                bytes.append(bigEndian: UInt32(field.count))
                bytes += field
            }
        }
        return SHA256Hash.of(bytes)
    }
}
