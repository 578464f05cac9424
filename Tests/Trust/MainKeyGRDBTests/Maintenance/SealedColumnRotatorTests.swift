import Foundation
import GRDB
import MainKey
import Synchronization
import Testing

@testable import MainKeyGRDB

@Suite("Rotation of sealed columns")
struct SealedColumnRotatorTests {
    @Test("everything is sealed anew, as declared columns and by names", arguments: [true, false])
    func rotates(declared: Bool) throws {
        let queue = try DatabaseQueue()
        try queue.fillUsers(1234, in: try Fixture.vault(holding: [1], active: 1))
        let vault = try Fixture.vault()
        let rotator = SealedColumnRotator(queue, columns: declared ? User.columns : User.namedColumns)
        let total = 1234 + 1234 - 124
        #expect(try rotator.remaining(in: vault) == total)
        var reports: [SealingProgress] = []
        try rotator.rotate(in: vault) { reports.append($0) }
        #expect(reports.map(\.done) == [0, 500, 1000, 1234, 1734, 2234, total])
        #expect(reports.allSatisfy { $0.total == total })
        #expect(try rotator.remaining(in: vault) == 0)
        let new = try Fixture.vault(holding: [2], active: 2)
        try queue.read { db in try expectUsers(1234, epochs: [2], in: new, db) }
    }

    @Test("a second run has nothing to do and writes nothing")
    func again() throws {
        let queue = try DatabaseQueue()
        let vault = try Fixture.vault()
        try queue.fillUsers(10, in: vault)
        let before = try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM user") }
        var reports: [SealingProgress] = []
        try SealedColumnRotator(queue, columns: User.columns).rotate(in: vault) { reports.append($0) }
        #expect(reports == [SealingProgress(done: 0, total: 0)])
        #expect(try queue.read { db in try Row.fetchAll(db, sql: "SELECT * FROM user") } == before)
    }

    @Test("type, padding and NULL stay what they were, without being declared")
    func untyped() throws {
        enum Padded: SealedColumn {
            static let table = "user"
            static let column = "email"
            static let padding = 128
        }
        let queue = try DatabaseQueue()
        let old = try Fixture.vault(holding: [1], active: 1)
        try queue.createUsers()
        try queue.write { db in
            for (id, value) in try [
                Sealed<Data, Padded>(Data([1, 2]), in: old).databaseValue,
                Sealed<Int, Padded>(-3, in: old).databaseValue,
                Sealed<Double, Padded>(0.5, in: old).databaseValue,
                Sealed<Bool, Padded>(true, in: old).databaseValue,
                Sealed<Date, Padded>(Date(timeIntervalSince1970: 7), in: old).databaseValue,
                Sealed<JSONSealed<[Int]>, Padded>(JSONSealed([1]), in: old).databaseValue,
                .null,
            ].enumerated() {
                try db.execute(sql: "INSERT INTO user (id, email) VALUES (?, ?)", arguments: [id, value])
            }
        }
        let vault = try Fixture.vault()
        try SealedColumnRotator(queue, columns: [RegisteredColumn(table: "user", column: "email", index: "email_bi")])
            .rotate(in: vault)
        let new = try Fixture.vault(holding: [2], active: 2)
        let values = try queue.read { db in
            try DatabaseValue.fetchAll(db, sql: "SELECT email FROM user ORDER BY id")
        }
        func opened<Value: SealableValue>(_ index: Int, as type: Value.Type) throws -> Value? {
            try Sealed<Value, Padded>.fromDatabaseValue(values[index])?.open(in: new)
        }
        #expect(try opened(0, as: Data.self) == Data([1, 2]))
        #expect(try opened(1, as: Int.self) == -3)
        #expect(try opened(2, as: Double.self) == 0.5)
        #expect(try opened(3, as: Bool.self) == true)
        #expect(try opened(4, as: Date.self) == Date(timeIntervalSince1970: 7))
        #expect(try opened(5, as: JSONSealed<[Int]>.self)?.value == [1])
        #expect(values[6].isNull)
        #expect(values.prefix(6).allSatisfy { Data.fromDatabaseValue($0)?.count == 34 + 128 })
        #expect(try queue.read { db in try Int.fetchOne(db, sql: "SELECT count(email_bi) FROM user") } == 0)
    }

    @Test("an index by names is made anew as it was made: its length, its normalisation")
    func keptIndex() throws {
        let queue = try DatabaseQueue()
        try queue.createUsers()
        let texts = ["plain", "Anna@Example.org", "ﬁn", "STRASSE"]
        let old = try Fixture.vault(holding: [1], active: 1)
        try queue.write { db in
            for (id, text) in texts.enumerated() {
                try db.execute(
                    sql: "INSERT INTO user (id, email, email_bi) VALUES (?, ?, ?)",
                    arguments: [
                        id, Sealed<String, BlindIndexTests.Short>(text, in: old),
                        id == 2
                            ? BlindIndex<BlindIndexTests.Folded>(text, in: old).databaseValue
                            : BlindIndex<BlindIndexTests.Short>(text, in: old).databaseValue,
                    ])
            }
        }
        try SealedColumnRotator(queue, columns: User.namedColumns).rotate(in: try Fixture.vault())
        let new = try Fixture.vault(holding: [2], active: 2)
        let found = try queue.read { db in
            try DatabaseValue.fetchAll(db, sql: "SELECT email_bi FROM user ORDER BY id")
        }
        for (id, text) in texts.enumerated() {
            let expected =
                id == 2
                ? try BlindIndex<BlindIndexTests.Folded>(text, in: new).databaseValue
                : try BlindIndex<BlindIndexTests.Short>(text, in: new).databaseValue
            #expect(found[id] == expected, "\(text)")
        }
    }

    // MARK: Refusals

    @Test("a value that was changed, moved or never sealed stops the rotation by its row, and nothing is lost")
    func damaged() throws {
        let vault = try Fixture.vault()
        for (sql, expected) in [
            (
                "UPDATE user SET note = (SELECT note FROM user WHERE id = 1) WHERE id = 700",
                SealedColumnError.value(column: "user.note", rowID: 700, .authFailed(.sealedValue))
            ),
            ("UPDATE user SET note = 'cleartext' WHERE id = 700", .notSealed(column: "user.note", rowID: 700)),
            (
                "UPDATE user SET note = x'0101' WHERE id = 700",
                .value(column: "user.note", rowID: 700, .truncated(.sealedValue))
            ),
            (
                "UPDATE user SET email_bi = (SELECT email_bi FROM user WHERE id = 1) WHERE id = 700",
                .indexMismatch(column: "user.email", rowID: 700)
            ),
        ] {
            let queue = try DatabaseQueue()
            try queue.fillUsers(1000, in: try Fixture.vault(holding: [1], active: 1))
            try queue.write { try $0.execute(sql: sql) }
            let rotator = SealedColumnRotator(queue, columns: User.namedColumns.reversed())
            #expect(throws: expected) { try rotator.rotate(in: vault) }
            #expect(try rotator.remaining(in: vault) > 0)
            #expect(!"\(expected)".contains("cleartext of"))
            try queue.write { db in
                try db.execute(sql: "DELETE FROM user WHERE id = 700")
                #expect(try User.fetchCount(db) == 999)
            }
            try rotator.rotate(in: vault)
            #expect(try rotator.remaining(in: vault) == 0)
        }
    }

    @Test("names that do not exist are refused, and never taken for SQL or for texts")
    func names() throws {
        let queue = try DatabaseQueue()
        let vault = try Fixture.vault()
        try queue.fillUsers(3, in: vault)
        try queue.write { db in
            try db.execute(sql: "CREATE TABLE keyed(id TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID")
            try db.execute(sql: "CREATE TABLE hiding(rowid TEXT, _rowid_ TEXT, oid TEXT, value BLOB)")
            try db.execute(sql: "CREATE VIEW shown AS SELECT * FROM user")
        }
        func refusal(_ table: String, _ column: String, index: String? = nil) -> SealedColumnError? {
            let column = RegisteredColumn(table: table, column: column, index: index)
            do {
                try SealedColumnRotator(queue, columns: [column]).rotate(in: vault)
                return nil
            } catch { return error as? SealedColumnError }
        }
        #expect(refusal("nobody", "email") == .noSuchTable("nobody"))
        #expect(refusal("shown", "email") == .noSuchTable("shown"))
        #expect(refusal("user\"; DROP TABLE user; --", "email") != nil)
        #expect(refusal("user\u{0}", "email") != nil)
        #expect(refusal("user", "nothing") == .noSuchColumn("user.nothing"))
        #expect(refusal("user", "email\" = '' --") != nil)
        #expect(refusal("user", "email", index: "nothing") == .noSuchColumn("user.nothing"))
        #expect(refusal("keyed", "value") == .noRowIDs(table: "keyed"))
        #expect(refusal("hiding", "value") == .noRowIDs(table: "hiding"))
        try queue.read { db in try expectUsers(3, epochs: [2], in: vault, db) }
    }

    @Test("names with quotes, spaces and SQL in them are names")
    func strangeNames() throws {
        let table = "a \"table\"; DROP TABLE user; --"
        let column = "va\"lue = 'x"
        let queue = try DatabaseQueue()
        let old = try Fixture.vault(holding: [1], active: 1)
        let place = SealedPurpose.column(table: table, column: column)
        try queue.write { db in
            // One of SQLite's names for the row id is a column here.
            try db.execute(
                sql: "CREATE TABLE \"a \"\"table\"\"; DROP TABLE user; --\"(\"va\"\"lue = 'x\" BLOB, RowID TEXT)")
            try db.execute(
                sql: "INSERT INTO \"a \"\"table\"\"; DROP TABLE user; --\" VALUES (?, 'x')",
                arguments: [Data(try old.seal("text", place))])
        }
        let rotator = SealedColumnRotator(queue, columns: [RegisteredColumn(table: table, column: column)])
        try rotator.rotate(in: try Fixture.vault())
        let new = try Fixture.vault(holding: [2], active: 2)
        #expect(try rotator.remaining(in: new) == 0)
        let stored = try queue.read { db in
            try Data.fetchOne(db, sql: "SELECT * FROM \"a \"\"table\"\"; DROP TABLE user; --\"")
        }
        #expect(try new.open(Array(try #require(stored)), place) == "text")
    }

    @Test("a database that is not there is not made")
    func noDatabase() throws {
        let folder = try Folder()
        #expect(throws: SealedColumnError.noSuchDatabase(path: folder.path)) {
            try SealedColumnRotator(path: folder.path, columns: [])
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("a locked vault stops the rotation")
    func locked() throws {
        let queue = try DatabaseQueue()
        try queue.fillUsers(2000, in: try Fixture.vault(holding: [1], active: 1))
        let keys = try Fixture.keys(holding: [1, 2], active: 2)
        let vault = UnlockedVault(keys: keys)
        let rotator = SealedColumnRotator(queue, columns: User.columns)
        let result = code {
            try rotator.rotate(in: vault) { progress in
                if progress.done == 1000 { keys.destroy() }
            }
        }
        #expect(result == "locked")
        #expect(try rotator.remaining(in: try Fixture.vault()) == 2000 - 1000 + 1800)
    }

    // MARK: Others at the same time

    @Test("a reader finds every row, whole, all through a rotation")
    func concurrentReader() throws {
        let folder = try Folder()
        let pool = try DatabasePool(path: folder.path)
        try pool.fillUsers(3000, in: try Fixture.vault(holding: [1], active: 1))
        let isDone = Mutex(false)
        let hasRead = DispatchSemaphore(value: 0)
        let reader = Thread {
            repeat {
                do {
                    let vault = try Fixture.vault()
                    try pool.read { db in try expectUsers(3000, epochs: [1, 2], in: vault, db) }
                } catch { Issue.record(error) }
                hasRead.signal()
            } while !isDone.withLock { $0 }
            hasRead.signal()
        }
        let vault = try Fixture.vault()
        var reads = 0
        try SealedColumnRotator(pool, columns: User.columns).rotate(in: vault) { progress in
            if progress.done == 0 { reader.start() }
            // Half-way, until a whole read has taken place in the mixed state.
            if progress.done == 3000 {
                hasRead.wait()
                hasRead.wait()
                reads = 2
            }
        }
        isDone.withLock { $0 = true }
        hasRead.wait()
        #expect(reads == 2)
        try pool.read { db in try expectUsers(3000, epochs: [2], in: vault, db) }
    }

    @Test("what another writes in the old epoch meanwhile is counted, and taken by the next run")
    func concurrentWriter() throws {
        let folder = try Folder()
        let old = try Fixture.vault(holding: [1], active: 1)
        let queue = try DatabaseQueue(path: folder.path)
        try queue.fillUsers(1000, in: old)
        let other = try DatabaseQueue(path: folder.path)
        let vault = try Fixture.vault()
        let rotator = SealedColumnRotator(queue, columns: User.columns)
        try rotator.rotate(in: vault) { progress in
            guard progress.done == 1000 else { return }
            do {
                let old = try Fixture.vault(holding: [1], active: 1)
                try other.write { db in try User(5, email: email(5), note: note(5), in: old).update(db) }
            } catch { Issue.record(error) }
        }
        #expect(try rotator.remaining(in: vault) == 1)
        try rotator.rotate(in: vault)
        #expect(try rotator.remaining(in: vault) == 0)
        try queue.read { db in try expectUsers(1000, epochs: [2], in: vault, db) }
    }
}
