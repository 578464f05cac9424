import Files
import Foundation
import GRDB
import HotSide
import HotSideKnownAnswers
import Substrate
import TestSupport
import Testing

@Suite("Hot database")
struct HotDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> FilePath { FilePath(folder.path(name)) }

    private func rows(_ path: FilePath) throws -> [String] {
        try DatabaseQueue(path: path.string).read { connection in
            try Row.fetchAll(connection, sql: "SELECT name, sql FROM sqlite_master ORDER BY name").map { "\($0)" }
        }
    }

    @Test("the first start makes the defaults: three networks with a node each, and no metadata")
    func defaults() throws {
        let hot = HotSide(database: try HotDatabase(at: path("new/hot.sqlite")), nodes: CapturedNode(calls: []))
        let book = try hot.addressBook()
        #expect(book.map(\.title) == ["kusama-sr25519", "polkadot-sr25519", "westend-sr25519"])
        #expect(
            book.map(\.entry.url) == [
                "wss://kusama-rpc.polkadot.io", "wss://rpc.polkadot.io", "wss://westend-rpc.polkadot.io",
            ])
        #expect(book.filter { !$0.entry.isDefault }.isEmpty)
        #expect(try hot.metadata().isEmpty)
        #expect(throws: HotSideError.self) { try hot.types() }
    }

    @Test("a file that is empty, as a crash in the first start leaves it, gets the defaults")
    func emptyFile() throws {
        let path = self.path("empty.sqlite")
        try Data().write(to: URL(filePath: path.string))
        let hot = HotSide(database: try HotDatabase(at: path), nodes: CapturedNode(calls: []))
        #expect(try hot.addressBook().count == 3)
    }

    @Test("a database of another version is refused and left alone; restoring the defaults takes its place")
    func otherVersion() throws {
        let path = self.path("hot.sqlite")
        _ = try HotDatabase(at: path)
        try DatabaseQueue(path: path.string).write { connection in
            try connection.execute(
                sql: "UPDATE settings SET value = x'07000000' WHERE key = CAST('schema_version' AS BLOB)")
            try connection.execute(sql: "CREATE TABLE later (number INTEGER)")
        }
        let before = try Data(contentsOf: URL(filePath: path.string))
        #expect {
            _ = try HotDatabase(at: path)
        } throws: { error in
            guard case HotSideError.databaseOfAnotherVersion(found: 7, expected: 1) = error else { return false }
            return "\(error)".contains("restore-defaults")
        }
        #expect(try Data(contentsOf: URL(filePath: path.string)) == before)
        try HotDatabase.restoreDefaults(at: path)
        _ = try HotDatabase(at: path)
        #expect(try rows(path).count == 5)
    }

    @Test("what is no hot database is refused and left alone", arguments: ["text", "other", "view"])
    func noHotDatabase(_ kind: String) throws {
        let path = self.path("\(kind).sqlite")
        if kind == "text" {
            try Data("this is a letter, and a long one, ".utf8 + Data(repeating: 0x41, count: 4096))
                .write(to: URL(filePath: path.string))
        } else if kind == "other" {
            try DatabaseQueue(path: path.string).write { try $0.execute(sql: "CREATE TABLE notes (text TEXT)") }
        } else {
            _ = try HotDatabase(at: path)
            try DatabaseQueue(path: path.string).write { connection in
                try connection.execute(sql: "DROP TABLE metadata")
                try connection.execute(sql: "CREATE VIEW metadata AS SELECT key, value FROM settings")
            }
        }
        let before = try Data(contentsOf: URL(filePath: path.string))
        #expect(throws: HotSideError.self) { _ = try HotDatabase(at: path) }
        #expect(try Data(contentsOf: URL(filePath: path.string)) == before)
    }

    @Test(
        "the defaults take the place of no other database, a vault's least of all",
        arguments: [
            ["notes (text TEXT)"], ["settings (name TEXT)", "notes (text TEXT)"],
            ["settings", "metadata", "chainspecs"].map {
                "\"\($0)\" (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
            },
        ])
    func otherDatabase(_ tables: [String]) throws {
        let path = self.path("other.sqlite")
        try DatabaseQueue(path: path.string).write { connection in
            for table in tables { try connection.execute(sql: "CREATE TABLE \(table)") }
            guard tables.count == 3 else { return }
            try connection.execute(
                sql: "INSERT INTO settings VALUES (CAST('schema_version' AS BLOB), x'03000000')")
        }
        let before = try Data(contentsOf: URL(filePath: path.string))
        for use in [{ _ = try HotDatabase(at: path) }, { try HotDatabase.restoreDefaults(at: path) }] {
            #expect {
                try use()
            } throws: { ($0 as? HotSideError)?.code == "NoHotDatabase" }
        }
        #expect(try Data(contentsOf: URL(filePath: path.string)) == before)
    }

    @Test(
        "the defaults take the place of a damaged database", arguments: ["DELETE FROM settings", "DROP TABLE metadata"])
    func damagedDatabase(_ damage: String) throws {
        let path = self.path("damaged.sqlite")
        _ = try HotDatabase(at: path)
        try DatabaseQueue(path: path.string).write { try $0.execute(sql: damage) }
        #expect(throws: HotSideError.self) { _ = try HotDatabase(at: path) }
        try HotDatabase.restoreDefaults(at: path)
        #expect(try HotSide(database: HotDatabase(at: path), nodes: CapturedNode(calls: [])).addressBook().count == 3)
    }

    @Test("rows that are none are damage, and not a trap", arguments: ["address_book", "chainspecs_prep", "metadata"])
    func damagedRows(_ tree: String) throws {
        let path = self.path("\(tree).sqlite")
        let database = try HotDatabase(at: path)
        try DatabaseQueue(path: path.string).write { connection in
            try connection.execute(sql: "INSERT INTO \(tree) (key, value) VALUES (x'0461', x'ff')")
            try connection.execute(sql: "UPDATE \(tree) SET value = x'00ff'")
        }
        let hot = HotSide(database: database, nodes: CapturedNode(calls: []))
        #expect(throws: HotSideError.self) {
            _ = try hot.addressBook()
            _ = try hot.addressBookLines()
            _ = try hot.metadata()
        }
    }
}
