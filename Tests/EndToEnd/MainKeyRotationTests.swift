import Foundation
import GRDB
import TestSupport
import Testing

@Suite("mainkey rotates what an application keeps")
struct MainKeyRotationTests {
    private let column = ["--table", "user", "--column", "email"]

    /// A vault with a database, a folder of files and a token.
    private final class Kept {
        let vault: MainKeyVault
        let database: String
        let files: String

        init() throws {
            vault = try MainKeyVault()
            database = vault.scratch.path("data.sqlite")
            files = vault.scratch.path("files")
            try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: false)
            let queue = try DatabaseQueue(path: database)
            let column = ["--table", "user", "--column", "email"]
            let rows = try (1...3).map { id in
                let index = try vault.unlocked(["index"] + column, input: Array("user\(id)".utf8)).output
                return (
                    id, Data(try vault.seal("user\(id)", column + ["--row-id", "\(id)"])),
                    Data(try #require(JSON.string(index.trimmingCharacters(in: .newlines)).hex))
                )
            }
            try queue.write { db in
                try db.execute(sql: "CREATE TABLE user (id INTEGER PRIMARY KEY, email BLOB, code BLOB)")
                for row in rows {
                    try db.execute(sql: "INSERT INTO user VALUES (?, ?, ?)", arguments: [row.0, row.1, row.2])
                }
            }
            let letter = vault.scratch.path("letter")
            try Data("letter".utf8).write(to: URL(filePath: letter))
            try #require(try vault.unlocked(["encrypt", letter, files + "/a.mkf", "--context", "a.mkf"]).exitCode == 0)
            try #require(
                try vault.unlocked(["token", "set", "t", "--token-fd", "4"], secrets: [4: "token"]).exitCode == 0)
        }

        var places: [String] {
            ["--db", database, "--column", "user.email:index=user.code:row", "--files", files]
        }

        func row(_ id: Int) throws -> (email: String, code: String) {
            let row = try DatabaseQueue(path: database).read { db in
                try Row.fetchOne(db, sql: "SELECT email, code FROM user WHERE id = ?", arguments: [id])
            }
            let found = try #require(row)
            return (JSON.hexText(Array(found["email"] as Data)), JSON.hexText(Array(found["code"] as Data)))
        }

        func expectWhole() throws {
            for id in 1...3 {
                let row = try row(id)
                let opened = try vault.unlocked(
                    ["open", row.email, "--row-id", "\(id)", "--table", "user", "--column", "email"])
                #expect(opened.output == "user\(id)", "\(opened.errors)")
                let index = try vault.unlocked(
                    ["index", "--table", "user", "--column", "email"], input: Array("user\(id)".utf8)
                ).output
                #expect(index.contains(row.code))
            }
            #expect(try vault.unlocked(["cat", files + "/a.mkf", "--context", "a.mkf"]).output == "letter")
            #expect(try vault.unlocked(["token", "get", "t"]).output == "token")
        }
    }

    @Test("rows, blind indexes, files and tokens open under the new key, and the old one is gone")
    func rotates() throws {
        let data = try Kept()
        let before = try data.row(1).email
        let counted = try data.vault.run(["rotate", "--status", "--json"] + data.places).json()
        #expect(counted["places"].array.map { $0["total"].int } == [3, 1, 1])
        #expect(counted["places"].array.allSatisfy { $0["old"].int == 0 })
        let rotated = try data.vault.unlocked(["rotate", "--json"] + data.places)
        try #require(rotated.exitCode == 0, "\(rotated.output)\(rotated.errors)")
        #expect(try rotated.json()["epochs"].array == [.integer(2)])
        #expect(try rotated.json()["sealed"].object.values.compactMap(\.int).reduce(0, +) == 5)
        try data.expectWhole()
        #expect(try data.vault.unlocked(["open", before, "--row-id", "1"] + column).exitCode == 34)
    }

    @Test("killed in the middle, it goes on where it stopped")
    func resumes() throws {
        let data = try Kept()
        #expect(try data.vault.unlocked(["rotate", "--resume"] + data.places).exitCode == 44)
        let pin = data.vault.scratch.path("pin")
        try Data(MainKeyVault.pin.utf8).write(to: URL(filePath: pin))
        let arguments = ["rotate", "--dir", data.vault.folder, "--pin-fd", "3"] + data.places
        let command = ([MainKeyVault.mainkey.path, "--crash-at=rotate.batch@2"] + arguments).map(Program.quoted)
            .joined(separator: " ")
        let killed = try Program.shell("\(command) 3<\(Program.quoted(pin))")
        #expect(killed.exitCode == 137 || killed.exitCode == 9, "\(killed.exitCode)")
        #expect(try data.vault.status()["rotating"].bool == true)
        try data.expectWhole()
        let counted = try data.vault.run(["rotate", "--status", "--json"] + data.places).json()
        #expect(counted["places"].array.compactMap { $0["old"].int }.reduce(0, +) > 0)
        let resumed = try data.vault.unlocked(["rotate", "--resume", "--json"] + data.places)
        #expect(resumed.exitCode == 0, "\(resumed.output)")
        #expect(try data.vault.status()["epochs"].array == [.integer(2)])
        try data.expectWhole()
    }

    @Test("without a named place it takes a yes; a kept epoch leaves everything readable")
    func unnamed() throws {
        let data = try Kept()
        #expect(try data.vault.unlocked(["rotate"]).exitCode == 64)
        let kept = try data.vault.unlocked(["rotate", "--keep-old-epoch"])
        #expect(kept.exitCode == 0 && kept.output.contains("stays under way"), "\(kept.output)")
        #expect(try data.vault.status()["epochs"].array == [.integer(1), .integer(2)])
        try data.expectWhole()
        let ended = try data.vault.unlocked(["rotate"] + data.places)
        #expect(ended.exitCode == 0 && ended.output.contains("Run it again for a newer key"), "\(ended.output)")
        try data.expectWhole()
    }

    @Test(
        "what cannot be sealed anew stops it before the old key goes",
        arguments: [
            "UPDATE user SET email = 'cleartext' WHERE id = 2", "UPDATE user SET email = zeroblob(60) WHERE id = 2",
        ])
    func damaged(sql: String) throws {
        let data = try Kept()
        try DatabaseQueue(path: data.database).write { db in try db.execute(sql: sql) }
        let outcome = try data.vault.unlocked(["rotate"] + data.places)
        #expect(outcome.exitCode != 0 && outcome.errors.contains("row 2"), "\(outcome.errors)")
        #expect(try data.vault.status()["epochs"].array == [.integer(1), .integer(2)])
    }

    @Test("places that are not clear are refused before anything is asked")
    func usage() throws {
        let vault = try MainKeyVault()
        for places in [
            ["--column", "a.b"], ["--db", "x"], ["--db", "x", "--column", "nodot"],
            ["--db", "x", "--column", "a.b:what"],
            ["--db", "x", "--db", "y", "--column", "a.b"], ["--db", "x", "--column", "a.b:index=c.d"],
        ] {
            #expect(try vault.run(["rotate"] + places).exitCode == 64, "\(places)")
        }
        #expect(try vault.unlocked(["rotate", "--db", "/nowhere/x", "--column", "a.b"]).exitCode == 10)
        let folder = try vault.unlocked(["rotate", "--db", vault.folder, "--column", "a.b"])
        #expect(folder.exitCode == 60, "\(folder.errors)")
        #expect(folder.errors.contains("\(vault.folder) cannot be used") && folder.errors.contains("SQLite database"))
    }
}
