import Foundation
import GRDB
import Substrate
import Testing

@testable import Signer

@Suite("What is not sealed in a vault, and still not to be changed")
struct PublicTreesTests {
    private static let damage = SignerError.databaseDamaged(.publicTrees)

    private func change(_ test: TestVault, _ sql: String, _ arguments: StatementArguments = []) throws {
        try DatabaseQueue(path: test.folder.appending(path: "vault.sqlite").path).write { connection in
            try connection.execute(sql: sql, arguments: arguments)
            #expect(connection.changesCount > 0)
        }
    }

    /// Gives a call of Westend another name of the same length.
    private func renameCall(_ test: TestVault) throws {
        let key = Data(MetadataKey(name: "westend", version: 9122).scaleEncoded)
        let queue = try DatabaseQueue(path: test.folder.appending(path: "vault.sqlite").path)
        let blob = try queue.read {
            try Data.fetchOne($0, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key])
        }
        var metadata = try #require(blob)
        metadata.replace(Data("transfer_keep_alive".utf8), with: Data("remark_with_event__".utf8))
        #expect(metadata != blob)
        try change(test, "UPDATE metadata SET value = ? WHERE key = ?", [metadata, key])
    }

    @Test("metadata with another name for a call are refused as the vault opens, and in one that is open")
    func metadata() throws {
        let test = try TestVault()
        let open = try test.withSeed()
        _ = try open.process(TestVault.transfer())
        try renameCall(test)
        #expect(throws: Self.damage) { try open.process(TestVault.transfer()) }
        #expect(throws: Self.damage) { try test.open(.read) }
    }

    @Test(
        "so are other networks, another one who signs updates, a missing row and a missing digest",
        arguments: [
            "DELETE FROM metadata WHERE key = (SELECT min(key) FROM metadata)",
            "UPDATE settings SET value = x'00' WHERE key = CAST('general_verifier' AS BLOB)",
            "DELETE FROM verifiers", "UPDATE chainspecs SET value = zeroblob(3)", "DELETE FROM public_digest",
            "UPDATE public_digest SET digest = (SELECT digest FROM log_digest)",
            "UPDATE public_digest SET digest = zeroblob(61)", "UPDATE public_digest SET digest = 7",
        ])
    func others(_ sql: String) throws {
        let test = try TestVault()
        try change(test, sql)
        #expect(throws: Self.damage) { try test.open(.read) }
    }

    @Test("the digest of another vault does not open here")
    func otherVault() throws {
        let (test, other) = (try TestVault(), try TestVault())
        try renameCall(test)
        let digest = try DatabaseQueue(path: other.folder.appending(path: "vault.sqlite").path).read {
            try Data.fetchOne($0, sql: "SELECT digest FROM public_digest")
        }
        try change(test, "UPDATE public_digest SET digest = ?", [try #require(digest)])
        #expect(throws: Self.damage) { try test.open(.read) }
    }

    @Test("a vault of the first kind takes over what it has, and it counts from then on")
    func migrated() throws {
        let pin = try TestVault.secret("a passphrase")
        let old = try FirstKindVault(passphrase: pin)
        let unlocking = Unlocking(cost: TestVault.cost) { _ in .pin(pin) }
        _ = try Vault.open(old.folder, unlocking: unlocking)
        _ = try Vault.open(old.folder, for: .read, unlocking: unlocking)
        try DatabaseQueue(path: old.folder.appending(path: "vault.sqlite").path).write {
            try $0.execute(sql: "DELETE FROM verifiers")
        }
        #expect(throws: Self.damage) { try Vault.open(old.folder, for: .read, unlocking: unlocking) }
    }
}
