import Foundation
import GRDB
import MainKey
import SecretMemory

@testable import Signer

/// Vaults as they were before they had an inventory: two digests, and nothing that says which files are the last.
enum FirstSchema {
    /// Turns a database that is not sealed back.
    static func turn(_ database: ColdDatabase) throws {
        let log = try database.read { try HistoryLog.stored($0).digest }
        try DatabaseQueue(path: database.path).write { try turn($0, [.log: log]) }
    }

    /// Turns a vault that is open for changes back.
    static func turn(_ vault: Vault) throws {
        let key = try require(vault.key)
        let path = vault.database.path
        let log = try vault.database.read { try HistoryLog.stored($0).digest }
        try key.withKeys { keys in
            let unlocked = UnlockedVault(keys: keys)
            func sealed(_ digest: FirstForm.StoredDigest, _ value: [UInt8]) throws -> [UInt8] {
                try unlocked.seal(Data(value), digest.purpose)
            }
            let queue = try DatabaseQueue(path: path)
            try queue.write { try turn($0, [.log: try sealed(.log, log), .publicTrees: []]) }
            let state = try ColdDatabase(opening: path, readOnly: true, key: key).read {
                try StateDigest.publicState($0)
            }
            let digest = Data(try sealed(.publicTrees, state))
            try queue.write { try $0.execute(sql: "UPDATE public_digest SET digest = ?", arguments: [digest]) }
            var mark = try key.mark()
            mark.schema = nil
            try key.write(mark)
            try key.engine.removeItem("files")
        }
    }

    private static func turn(_ connection: GRDB.Database, _ digests: [FirstForm.StoredDigest: [UInt8]]) throws {
        for digest in FirstForm.StoredDigest.allCases {
            try connection.execute(sql: "CREATE TABLE \(digest.rawValue) (digest BLOB NOT NULL)")
            guard let value = digests[digest] else { continue }
            try connection.execute(sql: "INSERT INTO \(digest.rawValue) VALUES (?)", arguments: [Data(value)])
        }
        try connection.execute(sql: "DROP TABLE inventory; DROP TABLE contacts")
        try connection.execute(
            sql: "UPDATE settings SET value = x'01000000' WHERE key = ?", arguments: [Data(Setting.schemaVersion.key)])
    }

    private static func require<T>(_ value: T?) throws -> T {
        guard let value else { throw SignerError.nothingPending }
        return value
    }
}
