import Foundation
import GRDB
import MainKey
import Testing

@testable import MainKeyGRDB

@Suite("Sealing of existing cleartext")
struct SealedRecordMigratorTests {
    /// What the texts of a cleartext database have in common, to look for in its files.
    static let marks = ["@example.org", "a note of row"]

    static let columns = [
        CleartextColumn(UserEmail.self, of: String.self),
        CleartextColumn(UserNote.self, of: String.self, tiedTo: .rowID),
    ]

    /// What ``DatabaseWriter/fillUsers(_:in:)`` writes, in cleartext, with indexes and samples of them.
    static func fillCleartext(_ writer: some DatabaseWriter, _ count: Int) throws {
        try writer.createUsers()
        try writer.write { db in
            try db.execute(sql: "CREATE INDEX user_email ON user(email)")
            for id in 0..<Int64(count) {
                try db.execute(
                    sql: "INSERT INTO user VALUES (?, ?, NULL, ?, ?)",
                    arguments: [id, email(id), note(id), "row \(id)"])
            }
            // Deleted rows leave their bytes in free pages.
            try db.execute(sql: "INSERT INTO user SELECT id + 100000, email, NULL, note, plain FROM user")
            try db.execute(sql: "DELETE FROM user WHERE id >= 100000")
            try db.execute(sql: "ANALYZE")
        }
    }

    /// Which marks are in the files.
    static func found(in folder: Folder) throws -> [String] {
        let bytes = try folder.bytes()
        return marks.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    @Test(
        "in every journal mode all rows are sealed and no byte of the cleartext is left",
        arguments: ["DELETE", "TRUNCATE", "PERSIST", "WAL"])
    func noPlaintext(mode: String) throws {
        let folder = try Folder()
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA secure_delete = OFF") }
        let queue = try DatabaseQueue(path: folder.path, configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(mode)") }
        try Self.fillCleartext(queue, 1200)
        #expect(try Self.found(in: folder) == Self.marks)

        let vault = try Fixture.vault()
        var reports: [SealingProgress] = []
        try SealedRecordMigrator(queue, columns: Self.columns).migrate(in: vault) { reports.append($0) }
        #expect(reports.map(\.done) == [0, 500, 1000, 1200, 1700, 2200, 2280])
        #expect(reports.allSatisfy { $0.total == 2280 })

        // While the connection is open.
        #expect(try Self.found(in: folder).isEmpty)
        try queue.writeWithoutTransaction { db in
            try expectUsers(1200, epochs: [2], in: vault, db)
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == mode.lowercased())
            #expect(try Int.fetchOne(db, sql: "PRAGMA secure_delete") == 0)
            #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
        }
        try queue.close()
        #expect(try Self.found(in: folder).isEmpty)
    }

    @Test("a pool of readers does not keep the cleartext alive")
    func pool() throws {
        let folder = try Folder()
        let pool = try DatabasePool(path: folder.path)
        try Self.fillCleartext(pool, 600)
        #expect(try pool.read { db in try User.fetchCount(db) } == 600)
        let vault = try Fixture.vault()
        try SealedRecordMigrator(pool, columns: Self.columns).migrate(in: vault)
        #expect(try Self.found(in: folder).isEmpty)
        try pool.read { db in try expectUsers(600, epochs: [2], in: vault, db) }
    }

    @Test("while another connection reads, the cleartext in the log is reported, and the next run removes it")
    func stillInUse() throws {
        let folder = try Folder()
        let queue = try DatabaseQueue(path: folder.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        try Self.fillCleartext(queue, 100)
        let vault = try Fixture.vault()
        let other = try DatabaseQueue(path: folder.path)
        let migrator = SealedRecordMigrator(queue, columns: Self.columns)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: "BEGIN")
            #expect(try User.fetchCount(db) == 100)
            #expect(throws: SealedColumnError.cleartextStillInUse) { try migrator.migrate(in: vault) }
            try db.execute(sql: "COMMIT")
        }
        #expect(try Self.found(in: folder) == Self.marks)
        try migrator.migrate(in: vault)
        #expect(try Self.found(in: folder).isEmpty)
        try queue.read { db in try expectUsers(100, epochs: [2], in: vault, db) }
    }

    @Test("a second run changes no value")
    func again() throws {
        let folder = try Folder()
        let queue = try DatabaseQueue(path: folder.path)
        try Self.fillCleartext(queue, 50)
        let vault = try Fixture.vault()
        let migrator = SealedRecordMigrator(queue, columns: Self.columns)
        try migrator.migrate(in: vault)
        let before = try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM user") }
        try migrator.migrate(in: vault)
        #expect(try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM user") } == before)
    }

    enum Photo: SealedColumn {
        static let table = "thing"
        static let column = "photo"
    }

    enum Born: SealedColumn {
        static let table = "thing"
        static let column = "born"
    }

    enum Tags: SealedColumn {
        static let table = "thing"
        static let column = "tags"
    }

    @Test("bytes, dates, and JSON that the application reads itself are sealed by their types")
    func types() throws {
        let folder = try Folder()
        let queue = try DatabaseQueue(path: folder.path)
        let born = Date(timeIntervalSince1970: 86400)
        // Bytes that look like a sealed value of an epoch that there is not, among others.
        let photos = [Data([1, 1, 0, 0, 0, 9]) + Data(count: 60), Data(), Data(count: 100)]
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE thing(id INTEGER PRIMARY KEY, photo BLOB, born TEXT, tags TEXT)")
            for photo in photos {
                try db.execute(
                    sql: "INSERT INTO thing (photo, born, tags) VALUES (?, ?, '[\"a\"]')", arguments: [photo, born])
            }
        }
        let vault = try Fixture.vault()
        try SealedRecordMigrator(
            queue,
            columns: [
                CleartextColumn(Photo.self, of: Data.self, tiedTo: .rowID), CleartextColumn(Born.self, of: Date.self),
                CleartextColumn(Tags.self) { stored in
                    String.fromDatabaseValue(stored)
                        .flatMap { try? JSONDecoder().decode([String].self, from: Data($0.utf8)) }.map(JSONSealed.init)
                },
            ]
        ).migrate(in: vault)
        try queue.read { db in
            for (index, row) in try Row.fetchAll(db, sql: "SELECT * FROM thing ORDER BY id").enumerated() {
                let photo: Sealed<Data, Photo> = row["photo"]
                #expect(try photo.open(in: vault, row: .rowID(row["id"])) == photos[index])
                let date: Sealed<Date, Born> = row["born"]
                #expect(try date.open(in: vault) == born)
                let tags: Sealed<JSONSealed<[String]>, Tags> = row["tags"]
                #expect(try tags.open(in: vault).value == ["a"])
            }
        }
    }

    @Test("cleartext of another type, and a sealed value of another row, stop it by their row; nothing is lost")
    func refusals() throws {
        let vault = try Fixture.vault()
        let folder = try Folder()
        let queue = try DatabaseQueue(path: folder.path)
        try Self.fillCleartext(queue, 20)
        let moved = try Sealed<String, UserNote>("a note", in: vault, row: .rowID(1))
        try queue.write { try $0.execute(sql: "UPDATE user SET note = ? WHERE id = 7", arguments: [moved]) }
        let migrator = SealedRecordMigrator(queue, columns: Self.columns)
        #expect(throws: SealedColumnError.value(column: "user.note", rowID: 7, .authFailed(.sealedValue))) {
            try migrator.migrate(in: vault)
        }
        let numbers = CleartextColumn(UserNote.self, of: Int.self)
        #expect(throws: SealedColumnError.unreadable(column: "user.note", rowID: 0, type: "Int")) {
            try SealedRecordMigrator(queue, columns: [numbers]).migrate(in: vault)
        }
        try queue.write { try $0.execute(sql: "UPDATE user SET note = 'a note of row 7' WHERE id = 7") }
        try migrator.migrate(in: vault)
        try queue.read { db in try expectUsers(20, epochs: [2], in: vault, db) }
    }

    @Test(
        "values are tied to row ids only where VACUUM keeps them",
        arguments: ["id INTEGER", "id TEXT PRIMARY KEY", "id INTEGER PRIMARY KEY DESC", "id INT PRIMARY KEY"])
    func unstableRowIDs(declaration: String) throws {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: "CREATE TABLE user(\(declaration), note TEXT)") }
        let vault = try Fixture.vault()
        let tied = CleartextColumn(UserNote.self, of: String.self, tiedTo: .rowID)
        #expect(throws: SealedColumnError.unstableRowIDs(table: "user")) {
            try SealedRecordMigrator(queue, columns: [tied]).migrate(in: vault)
        }
        let free = CleartextColumn(UserNote.self, of: String.self)
        #expect(throws: Never.self) { try SealedRecordMigrator(queue, columns: [free]).migrate(in: vault) }
    }
}
