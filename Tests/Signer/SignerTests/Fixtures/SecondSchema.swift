import Foundation
import SQLite
import Testing

@testable import Signer

/// Vaults as they were before they had contacts.
enum SecondSchema {
    static let trees = Tree.all(ofSchema: 2)

    /// Turns a vault that is open for changes back; it has no contacts.
    static func turn(_ vault: Vault) throws {
        guard let key = vault.key else { throw SignerError.nothingPending }
        let database = try SQLiteDatabase(at: vault.database.path, access: .write, patience: .zero)
        try database.write { connection in
            try connection.execute("DROP TABLE contacts")
            try connection.execute(
                "UPDATE settings SET value = x'02000000' WHERE key = ?", .bytes(Setting.schemaVersion.key))
        }
        try key.withKeys { keys in
            let digest = try database.write { connection in
                let trees = MutableTrees(
                    connection: connection, sealing: .sealed(keys), schema: 2, key: key, cache: KeyCache())
                // The sealed row is of today's schema; what it says of the log holds.
                let stored = try connection.rows("SELECT content FROM inventory").first?[0].bytes
                let content = try trees.sealing.open(
                    #require(stored), for: Inventory.purpose, orThrow: .inventory)
                try trees.takeInventory(log: Inventory(scaleEncoded: content).log)
                return try #require(try trees.storeInventory()).after
            }
            try key.changeKnownFiles { $0.database = [digest] }
            var mark = try key.mark()
            mark.schema = 2
            try key.write(mark)
        }
    }
}
