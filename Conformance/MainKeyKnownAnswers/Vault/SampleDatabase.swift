import Foundation
import GRDB
import KnownAnswers
import MainKey

/// A database with the table `user`: `email` sealed for its column, `email_bi` its blind index, `note` sealed for its
/// column and row, `plain` in the clear.
struct SampleDatabase {
    private let queue: DatabaseQueue

    init(in file: AnswerFile) throws {
        var configuration = Configuration()
        configuration.readonly = true
        queue = try DatabaseQueue(path: file.location().path, configuration: configuration)
    }

    func check(_ rows: KnownAnswers.JSON, _ known: KnownKeys, report: inout Report) throws {
        let keys = try known.open()
        let count = try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM user") }
        report.expect("rows of the database", count, equals: rows.array.count)
        report.check(rows) { row in
            let id: Int64 = try row.integer("id")
            guard let stored = try queue.read({ try Stored.fetchOne($0, sql: Stored.query, arguments: [id]) }) else {
                throw RowError.missing("row \(id) of the database")
            }
            try check(stored, id: id, under: keys, in: &row)
        }
    }

    private func check(_ stored: Stored, id: Int64, under keys: EpochKeys, in row: inout KnownAnswers.Row) throws {
        let epoch: UInt32 = try row.integer("epoch")
        if let sealed = expectPresence(stored.email, of: "email", in: &row) {
            let email = try UnlockedVault(keys: keys).open(
                sealed, as: String.self, .column(table: "user", column: "email"))
            row.expect("email", email, equals: try row.text("email"))
            row.expect("email's epoch", try SealedValue.epoch(of: sealed), equals: epoch)
            let index = try UnlockedVault(keys: keys).blindIndex(email, table: "user", column: "email", epoch: epoch)
            row.expect("email_bi", stored.emailIndex.map { Array($0) }, equals: index)
            let found = try queue.read {
                try Int64.fetchAll($0, sql: "SELECT id FROM user WHERE email_bi = ?", arguments: [Data(index)])
            }
            row.expect("is found by email_bi", found.contains(id), equals: true)
        }
        if let sealed = expectPresence(stored.note, of: "note", in: &row) {
            let purpose = SealedPurpose.column(table: "user", column: "note")
            let note = try UnlockedVault(keys: keys).open(sealed, as: String.self, purpose, row: .rowID(id))
            row.expect("note", note, equals: try row.text("note"))
            row.expect("note's epoch", try SealedValue.epoch(of: sealed), equals: epoch)
            row.expect("note in another row", opens(sealed, purpose, row: id + 1, under: keys), equals: false)
        }
    }

    /// Expects that NULL has stayed NULL, and gives the sealed bytes of any other value.
    private func expectPresence(_ sealed: Data?, of column: String, in row: inout KnownAnswers.Row) -> [UInt8]? {
        row.expect("\(column) is null", sealed == nil, equals: row[column].isNull)
        return row[column].isNull ? nil : sealed.map { Array($0) }
    }

    private func opens(_ sealed: [UInt8], _ purpose: SealedPurpose, row: Int64, under keys: EpochKeys) -> Bool {
        (try? UnlockedVault(keys: keys).open(sealed, as: String.self, purpose, row: .rowID(row))) != nil
    }
}

/// A row as it lies in the database.
private struct Stored: FetchableRecord {
    static let query = "SELECT email, email_bi, note FROM user WHERE id = ?"

    let email: Data?
    let emailIndex: Data?
    let note: Data?

    init(row: GRDB.Row) {
        email = row["email"]
        emailIndex = row["email_bi"]
        note = row["note"]
    }
}
