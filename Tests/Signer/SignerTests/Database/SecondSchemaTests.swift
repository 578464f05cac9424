import Foundation
import GRDB
import MainKey
import Testing

@testable import Signer

@Suite("Vaults of the second schema")
struct SecondSchemaTests {
    private static func filled() throws -> TestVault {
        let test = try TestVault(hasPIN: true)
        try SecondSchema.turn(try test.withSeed())
        return test
    }

    private static func tables(_ test: TestVault) throws -> Set<String> {
        try DatabaseQueue(path: Tampering.path(in: test.folder)).read {
            Set(try String.fetchAll($0, sql: "SELECT name FROM sqlite_master"))
        }
    }

    @Test("opened to look, one has no contacts and stays as it was")
    func looked() throws {
        let test = try Self.filled()
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        let vault = try test.open(.read)
        #expect(vault.database.schema == 2)
        #expect(try vault.contacts() == [] && vault.keys().count == 5 && vault.verifyLog().count == 2)
        #expect(try vault.process(TestVault.transfer()).requests.count == 1)
        #expect(try vault.rotationStatus().places.map(\.old).reduce(0, +) == 0)
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    @Test("opened for changes, it gets the tree of contacts once, and says what it said before")
    func upgraded() throws {
        let test = try Self.filled()
        let (log, state) = (try test.open(.read).verifyLog(), try test.open(.read).keys())
        let vault = try test.open()
        #expect(vault.database.schema == 3)
        #expect(try vault.verifyLog().digest == log.digest && vault.keys() == state)
        #expect(try Self.tables(test) == Set(Tree.allCases.map(\.rawValue) + ["inventory"]))
        #expect(try vault.key?.mark().schema == 3)
        let account = [UInt8](repeating: 7, count: 32)
        try vault.saveContact(Contact(accountID: account, name: "Bob", origin: .typed))
        #expect(try test.open(.read).contacts().map(\.name) == ["Bob"])
    }

    @Test("an old file does not pass for one of a vault that has the tree")
    func downgraded() throws {
        let test = try Self.filled()
        let old = try test.files()
        _ = try test.open()
        try #require(old["vault.sqlite"]).write(to: test.folder.appending(path: "vault.sqlite"))
        for access in [Vault.Access.read, .write] {
            #expect(throws: SignerError.databaseDamaged(.olderDatabase)) { try test.open(access) }
        }
    }

    @Test("ended before the mark was written, the next opening writes it")
    func interrupted() throws {
        let test = try Self.filled()
        let mark = try #require(try test.open(.read).key).mark()
        _ = try test.open()
        try test.open(.read).key?.write(mark)
        #expect(try test.open(.read).database.schema == 3)
        _ = try test.open()
        #expect(try test.open(.read).key?.mark().schema == 3)
    }

    @Test(
        "killed at any step, it is of the old schema or the new one, and opens as such",
        arguments: [("database.noted", 2), ("database.written", 3), ("extend.written", 3)] as [(String, UInt32)])
    func killed(_ step: String, _ schema: UInt32) async throws {
        let test = try Self.filled()
        let log = try test.open(.read).verifyLog().digest
        let folder = test.folder.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, step = step as String] in
            _ = CrashPoint.take(from: [CrashPoint.argument(step)])
            let pin = try TestVault.secret("passphrase")
            _ = try Vault.open(
                URL(filePath: folder), unlocking: Unlocking(cost: TestVault.cost) { _ in .pin(pin) })
        }
        let looked = try test.open(.read)
        #expect(try looked.database.schema == schema && looked.verifyLog().digest == log && looked.contacts() == [])
        let vault = try test.open()
        #expect(try vault.database.schema == 3 && vault.key?.mark().schema == 3 && vault.keys().count == 5)
        try vault.saveContact(Contact(accountID: [UInt8](repeating: 7, count: 32), name: "Bob", origin: .typed))
        #expect(try test.open(.read).contacts().count == 1)
    }

    @Test(
        "a tree that was changed is damage, and is not taken over",
        arguments: ["DELETE FROM addresses", "DELETE FROM verifiers", "DROP TABLE history", "DELETE FROM inventory"],
        [Vault.Access.read, .write])
    func damaged(_ sql: String, _ access: Vault.Access) throws {
        let test = try Self.filled()
        try Tampering.execute(sql, in: test.folder)
        #expect(#expect(throws: SignerError.self) { try test.open(access) }?.code == "DatabaseDamaged")
        #expect(try !Self.tables(test).contains("contacts"))
    }

    @Test("one that already has a table of that name is damaged: nobody plants contacts")
    func planted() throws {
        let test = try Self.filled()
        try Tampering.execute(
            "CREATE TABLE \"contacts\" (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID", in: test.folder)
        #expect(throws: SignerError.databaseDamaged(.tables)) { try test.open() }
    }

    @Test("a newer schema is refused and left untouched", arguments: [Vault.Access.read, .write, .publicData])
    func newer(_ access: Vault.Access) throws {
        let test = try TestVault()
        try Tampering.execute(
            "UPDATE settings SET value = x'04000000' WHERE key = CAST('schema_version' AS BLOB)", in: test.folder)
        let before = try test.files()["vault.sqlite"]
        #expect(throws: SignerError.dbSchemaMismatch(expected: 3, found: 4)) { try test.open(access) }
        #expect(try test.files()["vault.sqlite"] == before)
    }

    @Test("a rotation turns one into one of today, and seals contacts anew")
    func rotated() throws {
        let test = try Self.filled()
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == 2)
        let account = [UInt8](repeating: 7, count: 20)
        try test.open().saveContact(Contact(accountID: account, name: "Bob", origin: .scanned))
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == 3)
        #expect(try test.open(.read).contacts().map(\.accountID) == [account])
    }
}
