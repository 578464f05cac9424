import Foundation
import GRDB
import MainKey
import SecretMemory
import Testing

@testable import Signer

@Suite("Vaults of the first schema")
struct FirstSchemaTests {
    private static func filled() throws -> TestVault {
        let test = try TestVault(hasPIN: true)
        let vault = try test.withSeed()
        _ = try test.sign(TestVault.transfer(), in: vault)
        try FirstSchema.turn(vault)
        test.person.reasons = []
        return test
    }

    private static func tables(_ test: TestVault) throws -> Set<String> {
        try DatabaseQueue(path: Tampering.path(in: test.folder)).read {
            Set(try String.fetchAll($0, sql: "SELECT name FROM sqlite_master"))
        }
    }

    @Test("opened to look, one is checked by its own rules, says so, and stays as it was")
    func looked() throws {
        let test = try Self.filled()
        let before = try test.files().filter { $0.key != "key/attempts.mk" }
        let vault = try test.open(.read)
        #expect(vault.isOfFirstSchema)
        #expect(try vault.verifyLog().count == 3 && vault.keys().count == 5 && vault.seedNames() == ["demo"])
        #expect(try vault.seeds.mnemonic(named: "demo").entropy.count == 16)
        #expect(try vault.process(TestVault.transfer()).requests.count == 1)
        #expect(try test.files().filter { $0.key != "key/attempts.mk" } == before)
    }

    @Test("opened for changes, it gets an inventory once, and says what it said before")
    func upgraded() throws {
        let test = try Self.filled()
        let log = try test.open(.read).verifyLog()
        do {
            let vault = try test.open()
            #expect(!vault.isOfFirstSchema)
            #expect(try vault.verifyLog().digest == log.digest && vault.keys().count == 5)
            _ = try test.sign(TestVault.transfer(), in: vault)
        }
        #expect(try Self.tables(test) == Set(Tree.allCases.map(\.rawValue) + ["inventory"]))
        let vault = try test.open(.read)
        #expect(try !vault.isOfFirstSchema && vault.verifyLog(contains: log.digest).containsAt == 3)
        #expect(try vault.key?.mark().schema == 3)
        try Tampering.execute("DELETE FROM addresses", in: test.folder)
        #expect(throws: SignerError.databaseDamaged(.tree("addresses"))) { try test.open(.read) }
    }

    @Test("within a session a person is asked for the seeds, whose names are in no other place")
    func asked() throws {
        let test = try Self.filled()
        try test.beginSession()
        _ = try test.open(.read)
        #expect(test.person.reasons == [])
        _ = try test.open()
        #expect(test.person.reasons == [.seeds])
    }

    @Test(
        "its own rules take an empty log, and a log or a digest that is missing, for damage",
        arguments: [
            "DELETE FROM history; DELETE FROM log_digest", "DELETE FROM history", "DELETE FROM log_digest",
            "DELETE FROM public_digest", "DROP TABLE log_digest", "DELETE FROM verifiers",
            "UPDATE history SET value = zeroblob(99)",
            "UPDATE log_digest SET digest = (SELECT digest FROM public_digest)",
        ], [Vault.Access.read, .write])
    func damaged(_ sql: String, _ access: Vault.Access) throws {
        let test = try Self.filled()
        try Tampering.execute(sql, in: test.folder)
        let error = #expect(throws: SignerError.self) { try test.open(access) }
        #expect(error?.code == "DatabaseDamaged")
    }

    @Test("a vault of today does not pass for one of before: neither its old file, nor with its note removed")
    func downgraded() throws {
        let test = try Self.filled()
        let old = try test.files()
        _ = try test.open()
        try #require(old["vault.sqlite"]).write(to: test.folder.appending(path: "vault.sqlite"))
        for access in [Vault.Access.read, .write] {
            #expect(throws: SignerError.databaseDamaged(.olderDatabase)) { try test.open(access) }
        }
        try VaultKey(of: test.folder, test.unlocking).engine.removeItem("files")
        #expect(throws: SignerError.databaseDamaged(.olderDatabase)) { try test.open(.read) }
    }

    @Test("ended between its steps, an upgrade is begun anew or over")
    func interrupted() throws {
        let test = try Self.filled()
        let key = try #require(try test.open(.read).key)
        let mark = try key.mark()
        // Noted, and not written.
        try key.withKeys { _ in try key.write(KnownFiles(seeds: [])) }
        #expect(try test.open(.read).isOfFirstSchema)
        _ = try test.open()
        // Written, and the mark still says what it said.
        try test.open(.read).key?.write(mark)
        #expect(try !test.open(.read).isOfFirstSchema)
        _ = try test.open()
        #expect(try test.open(.read).key?.mark().schema == 3)
        #expect(try test.open(.read).keys().count == 5)
    }

    @Test("a rotation turns one into one of today")
    func rotated() throws {
        let test = try Self.filled()
        #expect(try Vault.rotate(test.folder, unlocking: test.unlocking).epoch == 2)
        #expect(try !test.open(.read).isOfFirstSchema)
    }
}
