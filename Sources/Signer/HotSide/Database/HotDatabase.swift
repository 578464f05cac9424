import Files
import SCALE
import SQLite

/// What a connected machine keeps of networks: an address book of nodes, network records, metadata, and the blocks at
/// which these were seen.
///
/// Nothing in it is secret, and nothing is trusted by a vault for being in it. It is one SQLite file; a change is one
/// transaction, so that a crash at any instruction leaves the old state or the new.
/// Source: `signer-wire` section 8.1.
public final class HotDatabase: Sendable {
    /// The version that this build reads and writes.
    package static let schemaVersion: UInt32 = 1

    private let database: SQLiteDatabase
    private let path: String

    /// Opens the database; one that is missing or empty is made with the defaults of a release.
    ///
    /// - Parameter path: of the file; its folder is made.
    /// - Throws: ``HotSideError`` for a file that is no such database, of another version, or damaged.
    public convenience init(at path: FilePath) throws {
        try self.init(file: path)
        try guarded {
            if try database.read(Self.isEmpty) {
                try database.write { connection in
                    // Another process may have been first.
                    if try Self.isEmpty(connection) { try Self.makeDefaults(connection) }
                }
            }
            try database.read(Self.check)
        }
    }

    /// A database in memory with the defaults of a release.
    public init() throws {
        database = try SQLiteDatabase()
        path = ":memory:"
        try database.write(Self.makeDefaults)
    }

    private init(file: FilePath) throws {
        path = file.string
        let folder = file.removingLastComponent()
        if !folder.isEmpty { _ = try Folder(folder, makesMissing: true, followsLinks: true) }
        do { database = try SQLiteDatabase(at: file.string, access: .write, patience: .seconds(5)) } catch {
            throw Self.translated(error, path: file.string)
        }
    }

    /// Puts the defaults of a release in the place of all that is stored, also of a database of another version or of a
    /// damaged one.
    ///
    /// - Parameter path: of the file, which is made if it is missing.
    /// - Throws: `HotSideError.noHotDatabase` for a database of something else, which is left alone.
    package static func restoreDefaults(at path: FilePath) throws {
        let database = try HotDatabase(file: path)
        try database.guarded {
            try database.database.write { connection in
                guard try isEmpty(connection) || isHot(connection) else { throw HotSideError.noHotDatabase }
                for row in try connection.rows("SELECT type, name FROM sqlite_master") {
                    guard let kind = row[0].text, let name = row[1].text, ["table", "view"].contains(kind) else {
                        continue
                    }
                    try connection.execute("DROP \(kind) \(SQLiteConnection.quoted(name))")
                }
                try makeDefaults(connection)
            }
        }
    }

    /// Reads in one transaction.
    func read<R>(_ body: (HotTrees) throws -> R) throws -> R {
        try guarded { try database.read { try body(HotTrees(connection: $0)) } }
    }

    /// Runs `body` as one transaction: whatever it throws leaves the file as it was.
    func write<R>(_ body: (HotTrees) throws -> R) throws -> R {
        try guarded { try database.write { try body(HotTrees(connection: $0)) } }
    }

    // MARK: Shape

    private static func isEmpty(_ connection: SQLiteConnection) throws -> Bool {
        try connection.number("SELECT count(*) FROM sqlite_master") == 0
    }

    /// Whether a file is a hot database, of whatever version and however damaged. A vault's has settings and metadata
    /// too.
    private static func isHot(_ connection: SQLiteConnection) throws -> Bool {
        try connection.hasTable(HotTree.settings.rawValue) && connection.hasTable(HotTree.specs.rawValue)
    }

    private static func makeDefaults(_ connection: SQLiteConnection) throws {
        for tree in HotTree.allCases { try connection.execute(tree.statement) }
        let trees = HotTrees(connection: connection)
        var version = ScaleEncoder()
        version.integer(schemaVersion)
        try trees.put(.settings, key: HotSetting.schemaVersion.key, value: version.bytes)
        for network in DefaultNetwork.all {
            try trees.put(network.specs)
            try trees.put(network.entry, title: network.title)
        }
    }

    private static func check(_ connection: SQLiteConnection) throws {
        let expected = HotTree.allCases.map(\.statement).sorted()
        guard try isHot(connection) else { throw HotSideError.noHotDatabase }
        guard let version = try HotTrees(connection: connection).schemaVersion() else {
            throw HotSideError.databaseDamaged(reason: "it states no version")
        }
        guard version == schemaVersion else {
            throw HotSideError.databaseOfAnotherVersion(found: version, expected: schemaVersion)
        }
        let found = try connection.rows("SELECT sql FROM sqlite_master ORDER BY sql").map(\.first?.text)
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
        guard let error = error as? SQLiteError else { return error }
        return switch error.kind {
        case .busy: HotSideError.databaseBusy(path: path)
        case .foreign: HotSideError.noHotDatabase
        case .damaged: HotSideError.databaseDamaged(reason: error.reason)
        case .full, .other: HotSideError.storageUnavailable(path: path, reason: error.reason)
        }
    }
}
