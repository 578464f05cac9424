import Foundation
import GRDB
import Substrate
import Testing

@testable import Signer

@Suite("What is not sealed in a vault, and still not to be changed")
struct PublicTreesTests {
    /// Gives a call of Westend another name of the same length.
    private func renameCall(_ test: TestVault) throws {
        let key = Data(MetadataName(name: "westend", version: 9122).scaleEncoded)
        let queue = try DatabaseQueue(path: test.folder.appending(path: "vault.sqlite").path)
        let blob = try queue.read {
            try Data.fetchOne($0, sql: "SELECT value FROM metadata WHERE key = ?", arguments: [key])
        }
        var metadata = try #require(blob)
        metadata.replace(Data("transfer_keep_alive".utf8), with: Data("remark_with_event__".utf8))
        #expect(metadata != blob)
        try Tampering.execute("UPDATE metadata SET value = ? WHERE key = ?", [metadata, key], in: test.folder)
    }

    @Test("metadata with another name for a call are refused as the vault opens, and in one that is open")
    func metadata() throws {
        let test = try TestVault()
        let open = try test.withSeed()
        _ = try open.process(TestVault.transfer())
        try renameCall(test)
        #expect(throws: SignerError.databaseDamaged(.tree("metadata"))) { try open.process(TestVault.transfer()) }
        #expect(throws: SignerError.databaseDamaged(.tree("metadata"))) { try open.logDetails(order: 0) }
        #expect(throws: SignerError.databaseDamaged(.tree("metadata"))) { try test.open(.read) }
    }

    @Test(
        "so are other networks, another one who signs updates, and a missing row",
        arguments: [
            ("metadata", "DELETE FROM metadata WHERE key = (SELECT min(key) FROM metadata)"),
            ("settings", "UPDATE settings SET value = x'00' WHERE key = CAST('general_verifier' AS BLOB)"),
            ("verifiers", "DELETE FROM verifiers"), ("chainspecs", "UPDATE chainspecs SET value = zeroblob(3)"),
        ])
    func others(_ tree: String, sql: String) throws {
        let test = try TestVault(hasPIN: true)
        try Tampering.execute(sql, in: test.folder)
        #expect(throws: SignerError.databaseDamaged(.tree(tree))) { try test.open(.read) }
    }

    @Test("a vault of the first kind takes over what it has, and it counts from then on")
    func migrated() throws {
        let pin = try TestVault.secret("a passphrase")
        let old = try FirstKindVault(passphrase: pin)
        let unlocking = Unlocking(cost: TestVault.cost) { _ in .pin(pin) }
        _ = try Vault.open(old.folder, unlocking: unlocking)
        _ = try Vault.open(old.folder, for: .read, unlocking: unlocking)
        try Tampering.execute("DELETE FROM verifiers", in: old.folder)
        #expect(throws: SignerError.databaseDamaged(.tree("verifiers"))) {
            try Vault.open(old.folder, for: .read, unlocking: unlocking)
        }
    }
}
