import Foundation
import GRDB
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import MainKeyGRDB

enum UserEmail: BlindIndexedColumn {
    static let table = "user"
    static let column = "email"
    static let indexColumn = "email_bi"
}

enum UserNote: SealedColumn {
    static let table = "user"
    static let column = "note"
}

/// A record of the sample vault, and of the databases that tests make.
struct User: Codable, FetchableRecord, PersistableRecord {
    var id: Int64
    var email: Sealed<String, UserEmail>
    var emailIndex: BlindIndex<UserEmail>
    var note: Sealed<String, UserNote>?
    var plain: String?

    enum CodingKeys: String, CodingKey {
        case id, email, note, plain
        case emailIndex = "email_bi"
    }

    init(_ id: Int64, email: String, note: String?, in vault: borrowing UnlockedVault) throws {
        self.id = id
        self.email = try Sealed(email, in: vault)
        emailIndex = try BlindIndex(email, in: vault)
        self.note = try Sealed(note, in: vault, row: .rowID(id))
        plain = "row \(id)"
    }

    static let columns = [RegisteredColumn(UserEmail.self), RegisteredColumn(UserNote.self, tiedTo: .rowID)]
    /// The same as a command line names them.
    static let namedColumns = [
        RegisteredColumn(table: "user", column: "email", index: "email_bi"),
        RegisteredColumn(table: "user", column: "note", tiedTo: .rowID),
    ]
}

enum Fixture {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    static let sample = (try? JSON(contentsOf: folder.appending(path: "vault-sample.json"))) ?? .null

    /// The sample vault, unlocked.
    static func vault(holding epochs: [UInt32] = [1, 2], active: UInt32 = 2) throws -> UnlockedVault {
        UnlockedVault(keys: try keys(holding: epochs, active: active))
    }

    static func keys(holding epochs: [UInt32], active: UInt32) throws -> EpochKeys {
        var keys: [UInt32: SecretBytes] = [:]
        for epoch in epochs {
            // Beyond the sample's epochs, keys of bytes that are all the epoch's number.
            var key = sample["epochKeys"]["\(epoch)"].hex ?? [UInt8](repeating: UInt8(epoch), count: 32)
            keys[epoch] = try SecretBytes(movingFrom: &key)
        }
        return EpochKeys(keys, active: active, vault: try #require(VaultID(sample["vaultID"].hex ?? [])))
    }
}

/// A folder of its own for each test, with a database in it.
final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "mainkey-grdb-\(UUID().uuidString)")
    var path: String { url.appending(path: "app.sqlite").path }

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// With a copy of the sample's database.
    static func withSample() throws -> Folder {
        let folder = try Folder()
        try FileManager.default.copyItem(
            atPath: Fixture.folder.appending(path: "vault-sample.sqlite").path, toPath: folder.path)
        return folder
    }

    /// All bytes of all files.
    func bytes() throws -> Data {
        try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
            .reduce(into: Data()) { $0 += try Data(contentsOf: $1) }
    }
}

extension DatabaseWriter {
    func createUsers() throws {
        try write { db in
            try db.execute(
                sql: "CREATE TABLE user(id INTEGER PRIMARY KEY, email BLOB, email_bi BLOB, note BLOB, plain TEXT)")
            try db.execute(sql: "CREATE INDEX user_email_bi ON user(email_bi)")
        }
    }

    /// `count` sealed rows; every tenth has no note.
    func fillUsers(_ count: Int, in vault: borrowing UnlockedVault) throws {
        try createUsers()
        try write { db in
            for id in 0..<Int64(count) {
                try User(id, email: email(id), note: note(id), in: vault).insert(db)
            }
        }
    }
}

func email(_ id: Int64) -> String { "user\(id)@example.org" }
func note(_ id: Int64) -> String? { id % 10 == 3 ? nil : "a note of row \(id)" }

/// Opens all rows and compares them with what ``DatabaseWriter/fillUsers(_:in:)`` wrote.
func expectUsers(
    _ count: Int, epochs: Set<UInt32>, in vault: borrowing UnlockedVault, _ db: Database,
    location: SourceLocation = #_sourceLocation
) throws {
    let users = try User.order(Column("id")).fetchAll(db)
    #expect(users.count == count, sourceLocation: location)
    var found: Set<UInt32> = []
    var wrong = 0
    for user in users {
        found.insert(user.email.epoch)
        if let note = user.note { found.insert(note.epoch) }
        let isRight =
            try user.email.open(in: vault) == email(user.id)
            && user.note.open(in: vault, row: .rowID(user.id)) == note(user.id)
            && BlindIndex<UserEmail>.all(of: email(user.id), in: vault).contains(user.emailIndex)
        if !isRight { wrong += 1 }
    }
    #expect(wrong == 0, sourceLocation: location)
    #expect(found.isSubset(of: epochs), sourceLocation: location)
}

/// The code of what `body` throws, or "ok".
func code(_ body: () throws -> Void) -> String {
    do { try body() } catch let error as MainKeyError { return error.code } catch let error as SealedColumnError {
        return error.mainKeyError.code
    } catch { return "\(error)" }
    return "ok"
}
