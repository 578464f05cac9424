import Foundation
import GRDB
import HardwareKeys
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import MainKeyGRDB

@Suite("Rows that are put back")
struct FreshRowsTests {
    @Test("a value of before, one of another row, and rows that go or come are noticed")
    func rows() throws {
        let scene = try Scene()
        let before = try #require(try scene.value("email", of: 2))
        try scene.update(2, email: "new@example.org")
        #expect(scene.verify() == "ok")
        let now = try #require(try scene.value("email", of: 2))
        let other = try #require(try scene.value("email", of: 3))
        let attacks: [(sql: String, arguments: StatementArguments, undo: String, undoing: StatementArguments)] = [
            ("UPDATE user SET email = ? WHERE id = 2", [before], "UPDATE user SET email = ? WHERE id = 2", [now]),
            ("UPDATE user SET email = ? WHERE id = 2", [other], "UPDATE user SET email = ? WHERE id = 2", [now]),
            ("UPDATE user SET email = NULL WHERE id = 2", [], "UPDATE user SET email = ? WHERE id = 2", [now]),
            ("UPDATE user SET id = 77 WHERE id = 2", [], "UPDATE user SET id = 2 WHERE id = 77", []),
            ("INSERT INTO user (id, email) VALUES (9, ?)", [now], "DELETE FROM user WHERE id = 9", []),
        ]
        for attack in attacks {
            try scene.attack(attack.sql, attack.arguments)
            #expect(scene.verify() == "rolledBack", "\(attack.sql)")
            try scene.attack(attack.undo, attack.undoing)
            #expect(scene.verify() == "ok")
        }
        try scene.attack("DELETE FROM user WHERE id = 2")
        #expect(scene.verify() == "rolledBack")
        // A person says that it is right.
        try scene.rows.recount(scene.database)
        #expect(scene.verify() == "ok")
    }

    @Test(
        "all that SQL does to rows is counted: replacing, deleting all, another row id, a rolled back change")
    func changes() throws {
        let scene = try Scene()
        try scene.rows.write(scene.database) { db, vault in
            try db.execute(sql: "INSERT OR REPLACE INTO user SELECT * FROM user WHERE id = 1")
            try db.execute(sql: "UPDATE user SET id = 100 WHERE id = 4")
            try db.execute(sql: "UPDATE user SET plain = 'x'")
            try db.execute(sql: "UPDATE user SET note = NULL WHERE id = 2")
        }
        #expect(scene.verify() == "ok")
        struct Rollback: Error {}
        #expect(throws: Rollback.self) {
            try scene.rows.write(scene.database) { db, _ in
                try db.execute(sql: "DELETE FROM user")
                throw Rollback()
            }
        }
        #expect(scene.verify() == "ok")
        try scene.rows.write(scene.database) { db, _ in try db.execute(sql: "DELETE FROM user") }
        #expect(scene.verify() == "ok")
        try scene.database.vacuum()
        #expect(scene.verify() == "ok")
        // Nothing stays behind on the connection.
        let left = try scene.database.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM temp.sqlite_master"),
                try Bool.fetchOne(db, sql: "PRAGMA recursive_triggers")
            )
        }
        #expect(left == (0, false))
    }

    @Test("what SQLite takes back within a transaction is not counted: a statement that fails, a savepoint, an upsert")
    func takenBack() throws {
        let scene = try Scene()
        let old = try #require(try scene.value("email", of: 2))
        try scene.rows.write(scene.database) { db, vault in
            try db.execute(sql: "CREATE UNIQUE INDEX plain ON user (plain)")
            // Four rows are changed before the fifth fails, and come back.
            #expect(throws: DatabaseError.self) {
                try db.execute(
                    sql: "UPDATE user SET email = ?, plain = CASE WHEN id < 3 THEN id ELSE 'same' END", arguments: [old]
                )
            }
            try db.inSavepoint {
                try db.execute(sql: "DELETE FROM user WHERE id < 3")
                try User(30, email: "new@example.org", note: "new", in: vault).insert(db)
                return .rollback
            }
            try db.inSavepoint {
                try db.execute(sql: "UPDATE user SET note = NULL WHERE id = 1")
                return .commit
            }
            try db.execute(
                sql: "INSERT OR IGNORE INTO user (id, email, plain) VALUES (31, ?, 'row 1')", arguments: [old])
            try db.execute(
                sql: """
                    INSERT INTO user (id, email, plain) VALUES (1, x'00', 'row 9')
                    ON CONFLICT (id) DO UPDATE SET email = ?
                    """, arguments: [old])
        }
        #expect(scene.verify() == "ok")
        #expect(try scene.value("email", of: 1) == old)
        #expect(try scene.value("note", of: 1) == nil)
        #expect(try scene.reopened() == "ok")
    }

    @Test("who writes by other ways is told at the next verification, and cleartext is refused where it is written")
    func otherWays() throws {
        let scene = try Scene()
        #expect(
            code {
                try scene.rows.write(scene.database) { db, _ in
                    try db.execute(sql: "UPDATE user SET email = 'anna@example.org' WHERE id = 1")
                }
            } == "malformed")
        #expect(scene.verify() == "ok")
        try scene.vault.withUnlocked { vault in
            try scene.database.write { try User(1, email: "x@example.org", note: nil, in: vault).update($0) }
        }
        #expect(scene.verify() == "rolledBack")
    }

    @Test("the whole database of before is noticed from the last anchoring on")
    func database() throws {
        let scene = try Scene()
        let first = try scene.files("app.sqlite")
        try scene.update(1, email: "one@example.org", anchors: false)
        #expect(scene.verify() == "ok", "ahead of the vault, as a crash leaves it")
        let second = try scene.files("app.sqlite")
        try scene.update(1, email: "two@example.org", anchors: false)
        try second()
        #expect(try scene.reopened() == "ok", "behind the last anchoring nothing tells")
        try scene.rows.anchor(scene.database)
        try first()
        #expect(try scene.reopened() == "rolledBack")
    }

    @Test("of two databases of one number the one that was anchored counts")
    func branches() throws {
        let scene = try Scene()
        let start = try scene.files("app.sqlite")
        try scene.update(1, email: "one@example.org", anchors: false)
        let other = try scene.files("app.sqlite")
        try start()
        let database = try DatabaseQueue(path: scene.folder.path)
        try scene.rows.write(database) { db, vault in
            try User(1, email: "two@example.org", note: note(1), in: vault).update(db)
        }
        #expect(try scene.reopened() == "ok")
        try other()
        #expect(try scene.reopened() == "rolledBack")
    }

    @Test("nothing is written to an older database, which would be the newest by that", arguments: [true, false])
    func writesToOlder(anchors: Bool) throws {
        let scene = try Scene()
        let first = try scene.files("app.sqlite")
        try scene.update(1, email: "one@example.org")
        try first()
        let database = try DatabaseQueue(path: scene.folder.path)
        for _ in 1...3 {
            #expect(
                code {
                    try scene.rows.write(database, anchors: anchors) { db, _ in
                        Issue.record("it is written")
                        try db.execute(sql: "DELETE FROM user WHERE id = 5")
                    }
                } == "rolledBack")
        }
        #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM user") } == 5)
        #expect(try scene.reopened() == "rolledBack")
        // A person says that it is right.
        try scene.rows.recount(database)
        try scene.rows.write(database, anchors: anchors) { db, _ in try db.execute(sql: "DELETE FROM user") }
        #expect(try scene.reopened() == "ok")
    }

    @Test("without the count or the vault's note of it, nothing is taken for fresh")
    func missing() throws {
        let scene = try Scene()
        let restore = try scene.files("app.sqlite")
        for sql in ["DELETE FROM mainkey_fresh_rows", "UPDATE mainkey_fresh_rows SET content = x'01'"] {
            let database = try DatabaseQueue(path: scene.folder.path)
            try database.write { try $0.execute(sql: sql) }
            #expect(try scene.reopened() == "tampered", "\(sql)")
            #expect(code { try scene.rows.write(database) { _, _ in } } == "tampered", "\(sql)")
            try restore()
            #expect(try scene.reopened() == "ok")
        }
        // A count of other columns, or of another name, is none of this.
        let database = try DatabaseQueue(path: scene.folder.path)
        let other = FreshRows(Array(User.columns.reversed()), named: "users", in: scene.vault)
        #expect(code { try other.verify(database) } == "tampered")
        #expect(code { try FreshRows(User.columns, named: "x", in: scene.vault).verify(database) } == "notFound")
        // Whoever has no key can remove the file of an item.
        let items = scene.vaultPath + "/items"
        for name in try FileManager.default.contentsOfDirectory(atPath: items) where name.hasSuffix(".item") {
            let item = items + "/" + name
            let bytes = try Data(contentsOf: URL(filePath: item))
            guard bytes.range(of: Data("rows/users".utf8)) != nil else { continue }
            try FileManager.default.removeItem(atPath: item)
        }
        #expect(try scene.reopened() == "tampered")
    }

    @Test("a rotation keeps the count, makes no older value a new one, and goes on after a crash")
    func rotation() throws {
        let scene = try Scene()
        let before = try #require(try scene.value("email", of: 2))
        try scene.update(2, email: "new@example.org")
        let now = try #require(try scene.value("email", of: 2))
        try scene.attack("UPDATE user SET email = ? WHERE id = 2", [before])
        let place = scene.rows.rotation(of: scene.database)
        #expect(code { try scene.vault.rotate([place]) } == "rolledBack")
        try scene.attack("UPDATE user SET email = ? WHERE id = 2", [now])
        // What does not keep the count refuses.
        #expect(
            code { try scene.vault.rotate([SealedColumnRotator(scene.database, columns: User.columns)]) }
                == "configError")
        struct Stop: Error {}
        #expect(throws: Stop.self) { try scene.vault.rotate([place]) { if $0.done > 0 { throw Stop() } } }
        #expect(scene.verify() == "ok")
        try scene.vault.rotate([place])
        #expect(try scene.vault.status().isRotating == false)
        #expect(scene.verify() == "ok")
        #expect(try scene.reopened() == "ok")
        try scene.update(3, email: "later@example.org")
        #expect(scene.verify() == "ok")
    }

    @Test("a record that outlived a rotation is not saved over the value that was sealed anew, and may be removed")
    func outlived() throws {
        let scene = try Scene()
        func fetched() throws -> User { try #require(try scene.database.read { try User.fetchOne($0, key: 2) }) }
        let old = try fetched()
        try scene.vault.rotate([scene.rows.rotation(of: scene.database)])
        let now = try fetched()
        #expect {
            try scene.rows.write(scene.database) { db, _ in try old.update(db) }
        } throws: {
            ($0 as? SealedColumnError)?.mainKeyError == .unknownEpoch(1) && "\($0)".contains("Fetch the record again")
        }
        #expect(scene.verify() == "ok")
        #expect(try fetched().email == now.email)
        let opened = try scene.vault.withUnlocked { vault in try now.email.open(in: vault) }
        #expect(opened == email(2))
        #expect(code { _ = try scene.vault.withUnlocked { try old.email.renewed(in: $0) } } == "unknownEpoch")
        try scene.rows.write(scene.database) { db, _ in _ = try old.delete(db) }
        #expect(scene.verify() == "ok")
        try scene.vault.rotate([scene.rows.rotation(of: scene.database)])
    }

    @Test("what was never sealed is not counted in")
    func noSealedValue() throws {
        let scene = try Scene()
        let refused = code {
            try scene.rows.write(scene.database) { db, _ in
                try db.execute(sql: "UPDATE user SET note = x'0001' WHERE id = 1")
            }
        }
        #expect(refused == "truncated" && scene.verify() == "ok")
    }

    /// A trigger that puts `old` back into row 2 when another row is changed.
    private func trigger(_ name: String, putting old: Data) -> String {
        """
        CREATE TRIGGER \(name) AFTER UPDATE ON user WHEN NEW.id <> 2
        BEGIN UPDATE user SET email = x'\(old.map { String(format: "%02x", $0) }.joined())' WHERE id = 2; END
        """
    }

    @Test("what somebody puts into the schema changes no row within a transaction of the application's")
    func schema() throws {
        let scene = try Scene()
        let before = try #require(try scene.value("email", of: 2))
        try scene.update(2, email: "new@example.org")
        let now = try #require(try scene.value("email", of: 2))
        let foreignKey = "CREATE TABLE user(id INTEGER PRIMARY KEY REFERENCES other(id) ON DELETE CASCADE, email BLOB"
        let attacks = [
            trigger("x", putting: before), "CREATE TABLE other (id INTEGER PRIMARY KEY)", "DROP INDEX user_email_bi",
            "CREATE VIEW seen AS SELECT * FROM user",
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, 'CREATE TABLE user(id INTEGER PRIMARY KEY, email BLOB',
                '\(foreignKey)') WHERE name = 'user';
            """,
            // In a file that is written by hand, also names that SQLite does not give.
            """
            \(trigger("x", putting: before)); PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET name = 'sqlite_stat1', sql = replace(sql, ' x ', ' sqlite_stat1 ')
                WHERE type = 'trigger';
            """,
        ]
        for attack in attacks {
            let undo = try scene.files("app.sqlite")
            let attacked = try DatabaseQueue(path: scene.folder.path)
            try attacked.write { try $0.execute(sql: attack) }
            try attacked.close()
            let database = try DatabaseQueue(path: scene.folder.path)
            #expect(code { try scene.rows.verify(database) } == "tampered", "\(attack)")
            let written = code {
                try scene.rows.write(database) { db, _ in
                    Issue.record("it is written: \(attack)")
                    try db.execute(sql: "UPDATE user SET plain = 'x' WHERE id = 5")
                }
            }
            #expect(written == "tampered", "\(attack)")
            #expect(code { try scene.rows.anchor(database) } == "tampered", "\(attack)")
            let kept = try database.read { try Data.fetchOne($0, sql: "SELECT email FROM user WHERE id = 2") }
            #expect(kept == now)
            try database.close()
            try undo()
            #expect(try scene.reopened() == "ok")
        }
    }

    @Test("an application changes its schema within a write, or counts anew; statistics of SQLite's are none of it")
    func ownSchema() throws {
        let scene = try Scene()
        try scene.rows.write(scene.database) { db, _ in
            try db.execute(sql: "ALTER TABLE user ADD COLUMN more TEXT")
            try db.execute(sql: "CREATE TRIGGER own AFTER INSERT ON user BEGIN DELETE FROM user WHERE id = 1; END")
        }
        #expect(scene.verify() == "ok")
        // Its own triggers are counted as before.
        try scene.rows.write(scene.database) { db, _ in try db.execute(sql: "INSERT INTO user (id) VALUES (50)") }
        #expect(try scene.value("email", of: 1) == nil)
        #expect(scene.verify() == "ok")
        try scene.attack("ANALYZE")
        try scene.database.vacuum()
        #expect(scene.verify() == "ok")
        try scene.attack("CREATE TABLE migrated (id INTEGER PRIMARY KEY)")
        #expect(scene.verify() == "tampered")
        try scene.rows.recount(scene.database)
        #expect(scene.verify() == "ok")
        #expect(try scene.reopened() == "ok")
    }

    @Test("a count of before schemas were compared is read, and gets one with the next write")
    func withoutSchema() throws {
        let scene = try Scene()
        try scene.storeWithoutSchema()
        #expect(scene.verify() == "ok")
        try scene.attack("CREATE TABLE other (id INTEGER PRIMARY KEY)")
        #expect(scene.verify() == "ok")
        try scene.update(3, email: "new@example.org")
        #expect(scene.verify() == "ok")
        try scene.attack("DROP TABLE other")
        #expect(scene.verify() == "tampered")
    }

    @Test("a rotation stops at a schema that somebody changed, also in between")
    func rotationOfOtherSchema() throws {
        let scene = try Scene()
        let before = try #require(try scene.value("email", of: 2))
        try scene.update(2, email: "new@example.org")
        let now = try #require(try scene.value("email", of: 2))
        let place = scene.rows.rotation(of: scene.database)
        try scene.attack(trigger("x", putting: before))
        #expect(code { try scene.vault.rotate([place]) } == "tampered")
        #expect(try scene.value("email", of: 2) == now)
        try scene.attack("DROP TRIGGER x")
        var isPlanted = false
        let stopped = code {
            try scene.vault.rotate([place]) { progress in
                guard progress.done > 0, !isPlanted else { return }
                isPlanted = true
                try scene.attack(trigger("x", putting: before))
            }
        }
        #expect(isPlanted && stopped == "tampered")
        try scene.attack("DROP TRIGGER x")
        try scene.vault.rotate([place])
        #expect(scene.verify() == "ok")
        let email = try scene.vault.withUnlocked { vault in
            try scene.database.read { try User.fetchOne($0, key: 2)?.email.open(in: vault) }
        }
        #expect(email == "new@example.org")
    }

    @Test("columns that cannot be counted are refused by name")
    func columns() throws {
        let scene = try Scene()
        try scene.attack("CREATE TABLE loose (value BLOB)")
        let loose = FreshRows(
            [RegisteredColumn(table: "loose", column: "value")], named: "loose", in: scene.vault)
        #expect(code { try loose.recount(scene.database) } == "configError")
        let none = FreshRows([RegisteredColumn(table: "user", column: "nothing")], named: "n", in: scene.vault)
        #expect(code { try none.recount(scene.database) } == "configError")
    }

    @Test(
        "with a strict anchor also database and vault together are noticed; a write is one sealing and one step",
        .enabled(if: SoftwareTPM.isInstalled))
    func strict() throws {
        let tpm = try SoftwareTPM(logsCommands: true)
        let scene = try Scene(tpm)
        let (database, vault) = (try scene.files("app.sqlite"), try scene.files("vault"))
        let before = try tpm.commands().count
        try scene.update(1, email: "new@example.org")
        let sent = try tpm.commands().dropFirst(before)
        #expect(sent.count { $0 == 0x153 } == 1 && sent.count { $0 == 0x134 } == 1)
        let quiet = try tpm.commands().count
        try scene.update(1, email: "newer@example.org", anchors: false)
        #expect(scene.verify() == "ok")
        #expect(try tpm.commands().count == quiet)
        #expect(try scene.reopened() == "ok")
        try database()
        #expect(try scene.reopened() == "rolledBack")
        try vault()
        #expect(try scene.reopened() == "rolledBack")
    }

    @Test("a count comes back from its bytes, and other bytes are none")
    func form() throws {
        var tally = Tally()
        tally.add(RowCode((0..<32).map { UInt8($0) }))
        var count = RowCount(number: 0x0102, epoch: 3, tallies: [tally, Tally()])
        let bytes: [UInt8] =
            [0, 0, 0, 0, 0, 0, 1, 2] + [0, 0, 0, 3] + [0, 2] + [0, 0, 0, 0, 0, 0, 0, 1]
            + [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 23, 22, 21, 20, 19, 18, 17, 16]
            + [31, 30, 29, 28, 27, 26, 25, 24] + [UInt8](repeating: 0, count: 40)
        #expect(count.bytes == bytes)
        #expect(RowCount(bytes) == count)
        for end in bytes.indices { #expect(RowCount(Array(bytes[..<end])) == nil) }
        let schema = (1...32).map { UInt8($0) }
        for end in 1..<32 { #expect(RowCount(bytes + schema[..<end]) == nil) }
        #expect(RowCount(bytes + schema + [0]) == nil)
        count.schema = schema
        #expect(count.bytes == bytes + schema)
        #expect(RowCount(bytes + schema) == count)
    }
}
