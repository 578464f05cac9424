import Foundation
import GRDB
import Testing

@testable import Signer

/// Vaults as they were before they had contacts.
enum SecondSchema {
    static let trees = Tree.all(ofSchema: 2)

    /// Turns a vault that is open for changes back; it has no contacts.
    static func turn(_ vault: Vault) throws {
        guard let key = vault.key else { throw SignerError.nothingPending }
        try DatabaseQueue(path: vault.database.path).write { connection in
            try connection.execute(sql: "DROP TABLE contacts")
            try connection.execute(
                sql: "UPDATE settings SET value = x'02000000' WHERE key = ?",
                arguments: [Data(Setting.schemaVersion.key)])
        }
        try key.withKeys { keys in
            let digest = try DatabaseQueue(path: vault.database.path).write { connection in
                let trees = MutableTrees(
                    connection: connection, sealing: .sealed(keys), schema: 2, key: key, cache: KeyCache())
                // The sealed row is of today's schema; what it says of the log holds.
                let stored = try #require(try Row.fetchOne(connection, sql: "SELECT content FROM inventory"))
                let content = try trees.sealing.open(
                    #require(Trees.bytes(stored[0])), for: Inventory.purpose, orThrow: .inventory)
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
