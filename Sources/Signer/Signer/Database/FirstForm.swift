import MainKey
import SQLite

/// The way in which databases of schema 1 say what they hold: by a digest of the log and one of what is not sealed.
/// These do not cover addresses, and do not show that they were put back together with older rows.
///
/// Vaults of that schema are checked by these rules once more when they are opened for changes, and get an
/// ``Inventory``; opened to look they stay as they are.
enum FirstForm {
    static let schemaVersion: UInt32 = 1

    /// A digest, by the name of its table.
    enum StoredDigest: String, CaseIterable {
        /// The digest of the log behind its last entry.
        case log = "log_digest"
        /// The digest of networks, their metadata, whom they trust, and settings.
        case publicTrees = "public_digest"

        var damage: SignerError.Damage {
            switch self {
            case .log: .log
            case .publicTrees: .publicTrees
            }
        }

        var purpose: SealedPurpose { .column(table: rawValue, column: "digest") }
    }

    /// - Throws: `databaseDamaged`, also where the log or a digest is missing: no vault was ever without.
    static func check(_ trees: Trees) throws {
        _ = try log(trees).verified()
        try checkPublicTrees(trees)
    }

    static func log(_ trees: Trees) throws -> StoredLog {
        let log = StoredLog(pairs: try trees.pairs(.history), digest: try stored(.log, trees))
        guard !log.pairs.isEmpty else { throw SignerError.databaseDamaged(.log) }
        return log
    }

    /// Compares public trees with their sealed digest. Trees that are not sealed have nothing to be compared with.
    static func checkPublicTrees(_ trees: Trees) throws {
        guard trees.isSealed, try stored(.publicTrees, trees) != StateDigest.publicState(trees) else { return }
        throw SignerError.databaseDamaged(.publicTrees)
    }

    private static func stored(_ digest: StoredDigest, _ trees: Trees) throws -> [UInt8] {
        let rows = try trees.connection.rows("SELECT digest FROM \(digest.rawValue)")
        guard let stored = rows.first?[0].bytes else {
            throw SignerError.databaseDamaged(digest.damage)
        }
        return try trees.sealing.open(stored, for: digest.purpose, orThrow: digest.damage)
    }
}
