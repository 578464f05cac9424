import Foundation
import GRDB
import MainKey
import Testing

@testable import MainKeyGRDB

@Suite("Sealed columns")
struct SealedTests {
    enum Anything: SealedColumn {
        static let table = "thing"
        static let column = "value"
    }

    enum Padded: SealedColumn {
        static let table = "thing"
        static let column = "value"
        static let padding = 64
    }

    struct Address: Codable, Hashable {
        var street: String
        var number: Int
    }

    /// Stores a value, fetches it and opens it.
    private func stored<Value: SealableValue>(_ value: Value) throws -> Value {
        let vault = try Fixture.vault()
        let sealed = try Sealed<Value, Anything>(value, in: vault)
        let fetched = try DatabaseQueue().read { db in
            try #require(try Sealed<Value, Anything>.fetchOne(db, sql: "SELECT ?", arguments: [sealed]))
        }
        #expect(fetched == sealed)
        #expect(fetched.epoch == 2)
        return try fetched.open(in: vault)
    }

    @Test("a value that is kept through the beginning of a rotation is saved as one of the active epoch")
    func renewed() throws {
        let before = try Fixture.vault(holding: [1], active: 1)
        let value: Sealed<String, UserNote> = try Sealed("kept", in: before, row: .rowID(4))
        #expect(try value.renewed(in: before, row: .rowID(4)) == value)
        let meanwhile = try Fixture.vault()
        let renewed = try value.renewed(in: meanwhile, row: .rowID(4))
        #expect(renewed.epoch == 2)
        let after = try Fixture.vault(holding: [2])
        #expect(try renewed.open(in: after, row: .rowID(4)) == "kept")
        #expect(throws: MainKeyError.unknownEpoch(1)) { try value.renewed(in: after, row: .rowID(4)) }
    }

    @Test("values of every type come back out of the database")
    func types() throws {
        #expect(try stored("Łódź") == "Łódź")
        #expect(try stored("") == "")
        #expect(try stored(Data([0, 1, 255])) == Data([0, 1, 255]))
        #expect(try stored(Int64.min) == .min)
        #expect(try stored(-7) == -7)
        #expect(try stored(-0.5) == -0.5)
        #expect(try stored(true))
        #expect(try stored(Date(timeIntervalSince1970: 1.5)) == Date(timeIntervalSince1970: 1.5))
        let address = Address(street: "Rynek", number: 7)
        #expect(try stored(JSONSealed(address)).value == address)
    }

    @Test("padding hides the length")
    func padding() throws {
        let vault = try Fixture.vault()
        let lengths = try ["", "a", "a longer text"].map { text in
            Data.fromDatabaseValue(try Sealed<String, Padded>(text, in: vault).databaseValue)?.count
        }
        #expect(lengths == [34 + 64, 34 + 64, 34 + 64])
        #expect(try Sealed<String, Padded>("a", in: vault).open(in: vault) == "a")
    }

    @Test("NULL stays NULL, and no value is no value")
    func null() throws {
        let vault = try Fixture.vault()
        let absent: String? = nil
        #expect(try Sealed<String, Anything>(absent, in: vault) == nil)
        #expect(try Sealed<String, Anything>?.none.open(in: vault) == nil)
        #expect(try Sealed<String, Anything>("a", in: vault, row: .rowID(1)).open(in: vault, row: .rowID(1)) == "a")
        let queue = try DatabaseQueue()
        try queue.createUsers()
        try queue.write { db in
            try User(1, email: "a", note: nil, in: vault).insert(db)
            #expect(try Bool.fetchOne(db, sql: "SELECT note IS NULL FROM user") == true)
            #expect(try User.fetchOne(db)?.note == nil)
        }
    }

    @Test("a value does not open in another column, in another row, or as another type")
    func places() throws {
        let vault = try Fixture.vault()
        let email = try Sealed<String, UserEmail>("anna@example.org", in: vault)
        let elsewhere = try #require(Sealed<String, UserNote>.fromDatabaseValue(email.databaseValue))
        #expect(code { _ = try elsewhere.open(in: vault) } == "authFailed")
        let note = try Sealed<String, UserNote>("a note", in: vault, row: .rowID(1))
        #expect(code { _ = try note.open(in: vault, row: .rowID(2)) } == "authFailed")
        #expect(code { _ = try note.open(in: vault) } == "authFailed")
        let number = try #require(Sealed<Int, UserEmail>.fromDatabaseValue(email.databaseValue))
        #expect(code { _ = try number.open(in: vault) } == "malformed")
    }

    @Test("values swapped between rows of a database are noticed")
    func swapped() throws {
        let vault = try Fixture.vault()
        let queue = try DatabaseQueue()
        try queue.fillUsers(2, in: vault)
        try queue.write { db in
            let notes = try Data.fetchAll(db, sql: "SELECT note FROM user ORDER BY id")
            try db.execute(sql: "UPDATE user SET note = iif(id = 0, ?, ?)", arguments: [notes[1], notes[0]])
            for user in try User.fetchAll(db) {
                #expect(code { _ = try user.note.open(in: vault, row: .rowID(user.id)) } == "authFailed")
            }
        }
    }

    @Test("what does not belong into a sealed column is refused when it is opened, and stays as it is")
    func foreign() throws {
        let vault = try Fixture.vault()
        for (sql, expected) in [
            ("'cleartext'", "malformed"), ("7", "malformed"), ("7.5", "malformed"), ("x''", "truncated"),
            ("zeroblob(100)", "unsupportedVersion"),
        ] {
            try DatabaseQueue().read { db in
                let value = try #require(try Sealed<String, UserNote>.fetchOne(db, sql: "SELECT \(sql)"))
                #expect(code { _ = try value.open(in: vault) } == expected, "\(sql)")
                #expect(try Bool.fetchOne(db, sql: "SELECT ? IS \(sql)", arguments: [value]) == true, "\(sql)")
            }
        }
    }

    @Test("sealed values travel as JSON and as parts of hashes")
    func codable() throws {
        let vault = try Fixture.vault()
        let sealed = try Sealed<String, UserNote>("a note", in: vault)
        let decoded = try JSONDecoder().decode(
            [Sealed<String, UserNote>].self, from: try JSONEncoder().encode([sealed]))
        #expect(decoded == [sealed])
        #expect(Set(decoded + [sealed]).count == 1)
        let cleartext = try #require(Sealed<String, UserNote>.fromDatabaseValue("cleartext".databaseValue))
        #expect(throws: MainKeyError.self) { try JSONEncoder().encode([cleartext]) }
    }

    @Test("a locked vault neither seals nor opens")
    func locked() throws {
        let keys = try Fixture.keys(holding: [1, 2], active: 2)
        let vault = UnlockedVault(keys: keys)
        let sealed = try Sealed<String, UserNote>("a note", in: vault)
        keys.destroy()
        #expect(code { _ = try sealed.open(in: vault) } == "locked")
        #expect(code { _ = try Sealed<String, UserNote>("a note", in: vault) } == "locked")
        #expect(code { _ = try BlindIndex<UserEmail>("a", in: vault) } == "locked")
    }

    @Test("no text shows a value, neither of a sealed one nor of an error")
    func texts() throws {
        let vault = try Fixture.vault()
        let sealed = try Sealed<String, UserNote>("a note", in: vault)
        var dumped = ""
        dump(sealed, to: &dumped)
        #expect(dumped == "- Sealed(user.note, epoch 2)\n")
        #expect("\(sealed) \(String(reflecting: sealed))" == "Sealed(user.note, epoch 2) Sealed(user.note, epoch 2)")

        // Cleartext in a sealed column, and a constraint that fails while a sealed value is written.
        let queue = try DatabaseQueue()
        try queue.createUsers()
        try queue.write { db in
            try db.execute(sql: "INSERT INTO user VALUES (1, 'cleartext of anna', 'cleartext code', NULL, NULL)")
            let user = try #require(try User.fetchOne(db))
            for text in ["\(user.email)", "\(user)", String(reflecting: user.emailIndex)] {
                #expect(!text.contains("cleartext"))
            }
            #expect(throws: MainKeyError.self) { try user.email.open(in: vault) }
            do { _ = try user.email.open(in: vault) } catch { #expect(!"\(error)".contains("anna")) }
            let other = try User(1, email: "b", note: nil, in: vault)
            do {
                try other.insert(db)
                Issue.record("two rows of one id")
            } catch {
                let blob = try #require(Data.fromDatabaseValue(other.email.databaseValue))
                #expect(!"\(error)".contains(blob.map { String(format: "%02X", $0) }.joined()))
            }
        }
    }
}
