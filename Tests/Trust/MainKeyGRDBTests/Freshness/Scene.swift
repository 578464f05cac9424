import Foundation
import GRDB
import HardwareKeys
import MainKey
import SecretMemory
import TestSupport
import Testing

@testable import MainKeyGRDB

/// A vault with its database, gone with the test.
final class Scene {
    let folder: Folder
    let vault: MainKeyVault
    let database: DatabaseQueue
    let rows: FreshRows
    private let opening: OpenOptions
    var vaultPath: String { folder.url.appending(path: "vault").path }

    /// Five users are counted.
    init(_ tpm: SoftwareTPM? = nil) throws {
        folder = try Folder()
        var opening = OpenOptions()
        opening.watching = .none
        opening.knownVaults = KnownVaults(at: folder.url.appending(path: "known").path)
        if let tpm {
            opening.tpm = try TPMAddress(tcti: tpm.tcti)
            opening.allowsSoftwareTPM = true
        }
        self.opening = opening
        var options = VaultOptions()
        options.cost = Argon2Cost(passes: 2, memoryKiB: 19456)
        options.hasStrictAnchor = tpm != nil
        options.allowsNoRecovery = true
        vault = try MainKeyVault.create(
            at: folder.url.appending(path: "vault").path, [tpm == nil ? .none : .hardware(HardwareBinding(.counter))],
            options, opening: opening)
        database = try DatabaseQueue(path: folder.path)
        rows = FreshRows(User.columns, named: "users", in: vault)
        try vault.withUnlocked { vault in try database.fillUsers(5, in: vault) }
        try rows.recount(database)
    }

    func update(_ id: Int64, email: String, anchors: Bool = true) throws {
        try rows.write(database, anchors: anchors) { db, vault in
            try User(id, email: email, note: note(id), in: vault).update(db)
        }
    }

    /// What somebody writes who has the file alone.
    func attack(_ sql: String, _ arguments: StatementArguments = []) throws {
        try database.write { try $0.execute(sql: sql, arguments: arguments) }
    }

    func value(_ column: String, of id: Int64) throws -> Data? {
        try database.read { try Data.fetchOne($0, sql: "SELECT \(column) FROM user WHERE id = ?", arguments: [id]) }
    }

    func verify() -> String { code { try rows.verify(database) } }

    /// Leaves the count, here and in the vault, as it was written before schemas were compared.
    func storeWithoutSchema() throws {
        let label = "rows/users"
        let purpose = SealedPurpose.column(table: "mainkey_fresh_rows", column: "content")
        let names = ["users", "user", "email", "user", "note"]
        let binding = RowBinding(names.flatMap { Array($0.utf8) + [0] })
        var bytes = try #require(try vault.item(label)).withUnsafeBytes { Array($0.dropLast(SchemaDigest.byteCount)) }
        try vault.withUnlocked { vault in
            let content = Data(try vault.seal(Data(bytes), purpose, row: binding))
            try attack("UPDATE mainkey_fresh_rows SET content = ?", [content])
        }
        try vault.setItem(label, try SecretBytes(movingFrom: &bytes))
    }

    /// The database and the vault as they are, and what puts them back.
    func files(_ name: String) throws -> () throws -> Void {
        let place = folder.url.appending(path: name)
        let copy = folder.url.appending(path: "copy-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: place, to: copy)
        return {
            try FileManager.default.removeItem(at: place)
            try FileManager.default.copyItem(at: copy, to: place)
        }
    }

    /// The same database, opened anew.
    func reopened() throws -> String {
        let vault = try MainKeyVault.open(at: vaultPath, opening)
        return code {
            try vault.unlock(opening.tpm == nil ? .none : .hardware)
            try FreshRows(User.columns, named: "users", in: vault).verify(DatabaseQueue(path: folder.path))
        }
    }
}
