import Files
import Foundation
import GRDB
import SCALE

/// What a connected machine keeps of networks: an address book of nodes, network records, metadata, and the blocks at
/// which these were seen.
///
/// Nothing in it is secret, and nothing is trusted by a vault for being in it. It is one SQLite file; a change is one
/// transaction, so that a crash at any instruction leaves the old state or the new.
/// Source: `signer-wire` section 8.1.
public final class HotDatabase: Sendable {
    /// The version that this build reads and writes.
    package static let schemaVersion: UInt32 = 1

    private let queue: DatabaseQueue
    private let path: String

    /// Opens the database; one that is missing or empty is made with the defaults of a release.
    ///
    /// - Parameter path: of the file; its folder is made.
    /// - Throws: ``HotSideError`` for a file that is no such database, of another version, or damaged.
    public convenience init(at path: FilePath) throws {
        try self.init(file: path)
        try guarded {
            if try queue.read(Self.isEmpty) {
                try queue.write { connection in
                    // Another process may have been first.
                    if try Self.isEmpty(connection) { try Self.makeDefaults(connection) }
                }
            }
            try queue.read(Self.check)
        }
    }

    /// A database in memory with the defaults of a release.
    public init() throws {
        queue = try DatabaseQueue()
        path = ":memory:"
        try queue.write(Self.makeDefaults)
    }

    private init(file: FilePath) throws {
        path = file.string
        let folder = file.removingLastComponent()
        if !folder.isEmpty { _ = try Folder(folder, makesMissing: true, followsLinks: true) }
        var configuration = Configuration()
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { connection in
            // A rollback journal, synced before and after: the state after a power cut is the old one or the new one.
            try connection.execute(sql: "PRAGMA journal_mode = DELETE")
            try connection.execute(sql: "PRAGMA synchronous = EXTRA")
            try connection.execute(sql: "PRAGMA trusted_schema = OFF")
            try connection.execute(sql: "PRAGMA cell_size_check = ON")
        }
        do { queue = try DatabaseQueue(path: file.string, configuration: configuration) } catch {
            throw Self.translated(error, path: file.string)
        }
    }

    /// Puts the defaults of a release in the place of all that is stored, also of a database of another version.
    ///
    /// - Parameter path: of the file, which is made if it is missing.
    package static func restoreDefaults(at path: FilePath) throws {
        let database = try HotDatabase(file: path)
        try database.guarded {
            try database.queue.write { connection in
                for row in try Row.fetchAll(connection, sql: "SELECT type, name FROM sqlite_master") {
                    guard let kind: String = row[0], let name: String = row[1], ["table", "view"].contains(kind) else {
                        continue
                    }
                    try connection.execute(sql: "DROP \(kind) \(name.quotedDatabaseIdentifier)")
                }
                try makeDefaults(connection)
            }
        }
    }

    /// Reads in one transaction.
    func read<R>(_ body: (HotTrees) throws -> R) throws -> R {
        try guarded { try queue.read { try body(HotTrees(connection: $0)) } }
    }

    /// Runs `body` as one transaction: whatever it throws leaves the file as it was.
    func write<R>(_ body: (HotTrees) throws -> R) throws -> R {
        try guarded { try queue.write { try body(HotTrees(connection: $0)) } }
    }

    // MARK: Shape

    private static func isEmpty(_ connection: GRDB.Database) throws -> Bool {
        try Bool.fetchOne(connection, sql: "SELECT NOT EXISTS (SELECT 1 FROM sqlite_master)") ?? false
    }

    private static func makeDefaults(_ connection: GRDB.Database) throws {
        for tree in HotTree.allCases { try connection.execute(sql: tree.statement) }
        let trees = HotTrees(connection: connection)
        var version = ScaleEncoder()
        version.integer(schemaVersion)
        try trees.put(.settings, key: HotSetting.schemaVersion.key, value: version.bytes)
        for network in DefaultNetwork.all {
            try trees.put(network.specs)
            try trees.put(network.entry, title: network.title)
        }
    }

    private static func check(_ connection: GRDB.Database) throws {
        let expected = HotTree.allCases.map(\.statement).sorted()
        let hasSettings = try connection.tableExists(HotTree.settings.rawValue)
        let version = hasSettings ? try HotTrees(connection: connection).schemaVersion() : nil
        guard let version else { throw HotSideError.noHotDatabase }
        guard version == schemaVersion else {
            throw HotSideError.databaseOfAnotherVersion(found: version, expected: schemaVersion)
        }
        let found = try String.fetchAll(connection, sql: "SELECT sql FROM sqlite_master ORDER BY sql")
        guard found == expected else {
            throw HotSideError.databaseDamaged(reason: "its tables are not those it should have")
        }
    }

    // MARK: Errors

    private func guarded<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw Self.translated(error, path: path) }
    }

    /// What SQLite reports, in the words of this room.
    private static func translated(_ error: any Error, path: String) -> any Error {
        guard let error = error as? DatabaseError else { return error }
        let reason = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED: return HotSideError.databaseBusy(path: path)
        case .SQLITE_NOTADB: return HotSideError.noHotDatabase
        case .SQLITE_CORRUPT, .SQLITE_ERROR, .SQLITE_SCHEMA: return HotSideError.databaseDamaged(reason: reason)
        default: return HotSideError.storageUnavailable(path: path, reason: reason)
        }
    }
}
