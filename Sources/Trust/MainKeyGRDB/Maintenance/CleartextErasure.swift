import GRDB

/// Takes what was overwritten out of the files of a database: free pages, free space in pages, the rollback journal or
/// the write-ahead log, and samples of the query planner.
struct CleartextErasure {
    private let database: any DatabaseWriter

    init(_ database: any DatabaseWriter) {
        self.database = database
    }

    /// Runs `body` while SQLite overwrites with zeros what it frees.
    func withSecureDelete<R>(_ body: () throws -> R) throws -> R {
        let before = try database.writeWithoutTransaction { db in
            let before = try Int.fetchOne(db, sql: "PRAGMA secure_delete") ?? 0
            try db.execute(sql: "PRAGMA secure_delete = ON")
            return before
        }
        let result = Result { try body() }
        // 2 is SQLite's number of the mode FAST.
        try database.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA secure_delete = \(before == 2 ? "FAST" : "\(before)")")
        }
        return try result.get()
    }

    /// Writes the file anew and empties what lies beside it.
    ///
    /// - Throws: `cleartextStillInUse`, `DatabaseError`.
    func rewriteFile(tables: Set<String>) throws {
        // A barrier: readers of the same pool have ended.
        try database.barrierWriteWithoutTransaction { db in
            try deleteSamples(of: tables, db)
            try db.execute(sql: "VACUUM")
            switch try String.fetchOne(db, sql: "PRAGMA journal_mode") {
            case "wal":
                do { _ = try db.checkpoint(.truncate) } catch DatabaseError.SQLITE_BUSY {
                    throw SealedColumnError.cleartextStillInUse
                }
            case "persist":
                // The journal is kept with its content until the mode changes.
                try db.execute(sql: "PRAGMA journal_mode = DELETE")
                try db.execute(sql: "PRAGMA journal_mode = PERSIST")
            default: break
            }
        }
    }

    /// Deletes the samples of tables: ANALYZE may have copied values of indexed columns.
    private func deleteSamples(of tables: Set<String>, _ db: Database) throws {
        let samples = try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE name IN ('sqlite_stat3', 'sqlite_stat4')")
        for (sample, table) in samples.flatMap({ sample in tables.map { (sample, $0) } }) {
            try db.execute(sql: "DELETE FROM \(sample) WHERE tbl = ? COLLATE NOCASE", arguments: [table])
        }
    }
}
