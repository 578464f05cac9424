import CSQLite
import Foundation
import TestSupport
import Testing

@testable import SQLite

@Suite("A database of SQLite")
struct SQLiteDatabaseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path("book.sqlite") }

    private func opened(_ access: SQLiteDatabase.Access = .write) throws -> SQLiteDatabase {
        try SQLiteDatabase(at: path, access: access, patience: .zero)
    }

    /// Runs statements as any other program does, without our settings.
    private func elsewhere(_ statements: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK)
    }

    /// What SQLite says of `body`; nil if it has nothing to say.
    private func failure(_ body: () throws -> Void) -> SQLiteError? {
        do { try body() } catch { return error as? SQLiteError }
        return nil
    }

    // MARK: Values

    @Test(
        "values come back as they were, each of its type",
        arguments: [
            .null, .integer(.min), .integer(.max), .real(0.5), .text(""), .text("a\0b"), .text("Ω\u{301}'\"; --"),
            .bytes([]),
            .bytes([0, 255, 0]),
        ] as [SQLiteValue])
    func values(_ value: SQLiteValue) throws {
        let database = try opened()
        try database.write {
            try $0.execute("CREATE TABLE page (content)")
            try $0.execute("INSERT INTO page VALUES (?)", value)
        }
        #expect(try database.read { try $0.rows("SELECT content FROM page") } == [[value]])
    }

    @Test("types are SQLite's, as it tells them itself")
    func types() throws {
        let rows = try SQLiteDatabase().read {
            try $0.rows(
                "SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), length(?)",
                [.null, .integer(1), .real(1), .text("a"), .bytes([]), .bytes([0, 0])])
        }
        #expect(rows == [["null", "integer", "real", "text", "blob"].map { .text($0) } + [.integer(2)]])
    }

    @Test("rows are handed out one by one, until the one who asks has enough")
    func rowByRow() throws {
        struct Enough: Error {}
        let database = try opened()
        try database.write { connection in
            try connection.execute("CREATE TABLE page (number INTEGER)")
            for number in 0..<100 { try connection.execute("INSERT INTO page VALUES (?)", .integer(Int64(number))) }
        }
        var seen: [Int64?] = []
        #expect(throws: Enough.self) {
            try database.read { connection in
                try connection.forEachRow(of: "SELECT number FROM page ORDER BY number") { row in
                    seen.append(row[0].integer)
                    if seen.count == 3 { throw Enough() }
                }
            }
        }
        #expect(seen == [0, 1, 2])
        #expect(try database.read { try $0.number("SELECT count(*) FROM page WHERE number >= ?", .integer(40)) } == 60)
    }

    @Test("a name with quotation marks is one name")
    func names() throws {
        let name = "a\"; DROP TABLE page; --"
        let database = try opened()
        let found = try database.write { connection in
            try connection.execute("CREATE TABLE page (content)")
            try connection.execute("CREATE TABLE \(SQLiteConnection.quoted(name)) (content)")
            return try [name, "page", "pag_"].map { try connection.hasTable($0) }
        }
        #expect(found == [true, true, false])
    }

    // MARK: Transactions

    @Test("what fails leaves the file as it was, and the next change is made")
    func rolledBack() throws {
        struct Failure: Error {}
        let database = try opened()
        try database.write { try $0.execute("CREATE TABLE page (number INTEGER)") }
        #expect(throws: Failure.self) {
            try database.write { connection in
                try connection.execute("INSERT INTO page VALUES (1)")
                throw Failure()
            }
        }
        #expect(throws: SQLiteError.self) {
            try database.write { connection in
                try connection.execute("INSERT INTO page VALUES (1)")
                try connection.execute("INSERT INTO sheet VALUES (1)")
            }
        }
        try database.write { try $0.execute("INSERT INTO page VALUES (2)") }
        #expect(try opened(.read).read { try $0.rows("SELECT number FROM page") } == [[.integer(2)]])
    }

    @Test("a transaction sees one state, whatever another program writes meanwhile")
    func oneState() throws {
        let (reader, writer) = (try opened(), try opened())
        try writer.write { try $0.execute("CREATE TABLE page (number INTEGER)") }
        let counts = try reader.read { connection in
            let before = try connection.number("SELECT count(*) FROM page")
            // It cannot be written before who reads has ended.
            #expect(failure { try writer.write { try $0.execute("INSERT INTO page VALUES (1)") } }?.kind == .busy)
            return [before, try connection.number("SELECT count(*) FROM page")]
        }
        #expect(counts == [0, 0])
        try writer.write { try $0.execute("INSERT INTO page VALUES (1)") }
        #expect(try reader.read { try $0.number("SELECT count(*) FROM page") } == 1)
    }

    @Test("who means to write waits before reading, and not in between")
    func writersInTurn() throws {
        let (one, other) = (try opened(), try opened())
        try one.write { _ in
            #expect(failure { _ = try other.write { _ in Issue.record("two write") } }?.kind == .busy)
        }
    }

    @Test("threads that use one database take turns")
    func threads() async throws {
        let database = try opened()
        try database.write {
            try $0.execute("CREATE TABLE page (number INTEGER)")
            try $0.execute("INSERT INTO page VALUES (0)")
        }
        try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 { try database.write { try $0.execute("UPDATE page SET number = number + 1") } }
                }
            }
            try await group.waitForAll()
        }
        #expect(try database.read { try $0.number("SELECT number FROM page") } == 100)
    }

    @Test("who looks cannot change: the file is opened for reading alone, and is not made")
    func readOnly() throws {
        #expect(throws: SQLiteError.self) { try opened(.read) }
        #expect(!FileManager.default.fileExists(atPath: path))
        _ = try opened().write { try $0.execute("CREATE TABLE page (number INTEGER)") }
        #expect(throws: SQLiteError.self) { try opened(.read).write { try $0.execute("INSERT INTO page VALUES (1)") } }
    }

    @Test("a transaction that reads ends the program rather than to write")
    func readersDoNotWrite() async {
        await #expect(processExitsWith: .failure) {
            let database = try SQLiteDatabase()
            try database.read { try $0.execute("CREATE TABLE page (number INTEGER)") }
        }
    }

    @Test("a second statement behind the first ends the program rather than to be left out")
    func oneStatement() async {
        await #expect(processExitsWith: .failure) {
            try SQLiteDatabase().write { try $0.execute("CREATE TABLE page (number); DROP TABLE page") }
        }
    }

    // MARK: Files from elsewhere

    @Test("a trigger in the file does not run, and a view is not read")
    func nothingRuns() throws {
        try elsewhere(
            """
            CREATE TABLE page (number INTEGER); CREATE TABLE sheet (number INTEGER);
            CREATE TRIGGER copying AFTER INSERT ON page BEGIN INSERT INTO sheet VALUES (new.number); END;
            CREATE VIEW book AS SELECT number FROM page;
            """)
        let database = try opened()
        try database.write { try $0.execute("INSERT INTO page VALUES (1)") }
        #expect(try database.read { try $0.number("SELECT count(*) FROM sheet") } == 0)
        #expect(failure { _ = try database.read { try $0.rows("SELECT number FROM book") } }?.kind == .damaged)
    }

    @Test("no other file is attached, and the schema is not written past its rules")
    func closed() throws {
        let database = try opened()
        for statement in ["ATTACH '\(folder.path("other.sqlite"))' AS other", "UPDATE sqlite_master SET sql = ''"] {
            #expect(throws: SQLiteError.self, "\(statement)") { try database.write { try $0.execute(statement) } }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path("other.sqlite")))
    }

    @Test("text in double quotation marks is a name, and a name that is none an error")
    func noStringsByMistake() throws {
        #expect(throws: SQLiteError.self) { try SQLiteDatabase().read { try $0.rows("SELECT \"nothing\"") } }
    }

    @Test("a file that is no database, and one with a broken page, are told apart")
    func broken() throws {
        try Data(repeating: 7, count: 5000).write(to: URL(filePath: path))
        #expect(failure { _ = try opened() }?.kind == .foreign)
        try FileManager.default.removeItem(atPath: path)
        try elsewhere("CREATE TABLE page (content BLOB); INSERT INTO page VALUES (randomblob(20000));")
        var bytes = try Data(contentsOf: URL(filePath: path))
        // The second page is the root of the table.
        bytes.replaceSubrange(4096..<4196, with: Data(repeating: 0xee, count: 100))
        try bytes.write(to: URL(filePath: path))
        #expect(failure { _ = try opened().read { try $0.rows("SELECT content FROM page") } }?.kind == .damaged)
    }

    @Test("what was removed does not stay in the file")
    func removed() throws {
        let mark = Array("a mark that is found where it is".utf8)
        let database = try opened()
        try database.write {
            try $0.execute("CREATE TABLE page (content)")
            try $0.execute("INSERT INTO page VALUES (?)", .bytes(mark))
        }
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(mark)) != nil)
        try database.write { try $0.execute("DELETE FROM page") }
        #expect(try Data(contentsOf: URL(filePath: path)).range(of: Data(mark)) == nil)
    }

    @Test("an error names no value", arguments: [SQLiteValue.text("a secret"), .bytes(Array("a secret".utf8))])
    func noValues(_ value: SQLiteValue) throws {
        let database = try opened()
        try database.write { try $0.execute("CREATE TABLE page (content UNIQUE)") }
        let error = failure {
            try database.write {
                try $0.execute("INSERT INTO page VALUES (?)", value)
                try $0.execute("INSERT INTO page VALUES (?)", value)
            }
        }
        #expect(error.map { !"\($0)".contains("secret") && "\($0)".contains("page.content") } == true)
    }

    @Test("a path is a path, whatever it begins with", arguments: ["file:x?mode=memory", ":memory:", "a b"])
    func paths(_ name: String) throws {
        _ = try SQLiteDatabase(at: folder.path(name), access: .write, patience: .zero)
            .write { try $0.execute("CREATE TABLE page (number INTEGER)") }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
    }
}
