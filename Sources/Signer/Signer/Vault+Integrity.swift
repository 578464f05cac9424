import BasicFoundation
import MainKey

extension Vault {
    /// A seed as lists show it.
    package struct SeedSummary: Equatable, Sendable {
        /// What the person called it; no other seed of the vault is called so.
        package var name: String
        /// How many keys of it are here.
        package var keyCount: Int
        /// Whether its phrase is here. A removal that was interrupted leaves keys without one; so does a changed file.
        package var isStored: Bool
    }

    /// Names of the seeds whose phrases are here, as the sealed file has them, in byte order. No seed is opened for it.
    public func seedNames() throws -> [String] {
        try seedSummaries().filter(\.isStored).map(\.name)
    }

    /// The seeds whose phrases are here, with keys or without, and those that only keys are here of; in byte order.
    ///
    /// In vaults of the first kind and schema, whose file of seeds tells no names while it is closed, those of the keys
    /// count.
    package func seedSummaries() throws -> [SeedSummary] {
        let counts = Dictionary(try keys().map { ($0.details.seedName, 1) }, uniquingKeysWith: +)
        let stored = Set(try seeds.listedNames() ?? Array(counts.keys))
        return stored.union(counts.keys).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
            SeedSummary(name: name, keyCount: counts[name] ?? 0, isStored: stored.contains(name))
        }
    }

    /// Whether rows are checked by the rules of an earlier version, as they are until the vault is opened for changes.
    package var isOfFirstSchema: Bool { database.schema == FirstForm.schemaVersion }

    /// Compares what a vault holds with what it says that it holds. One of the first schema gets what it needs to say
    /// it, if it is opened for changes.
    ///
    /// - Returns: the database in the form that it has now.
    /// - Throws: `databaseDamaged`.
    static func checked(
        _ database: ColdDatabase, in folder: URL, _ key: VaultKey?, for access: Access
    ) throws -> ColdDatabase {
        guard let key else {
            try database.read { try FirstForm.check($0) }
            return database
        }
        // Unlocks it, too.
        guard try key.withKeys({ _ in try key.leastSchema() }) <= database.schema else {
            throw SignerError.databaseDamaged(.olderDatabase)
        }
        guard database.schema != FirstForm.schemaVersion else {
            try database.read { try FirstForm.check($0) }
            return access == .write ? try upgraded(database, in: folder, key) : database
        }
        let inventory = try database.read { trees in
            try trees.check()
            return try trees.inventory()
        }
        let seeds = try SealedSeeds(path: seedsPath(folder), key: key).knownFile()
        guard access == .write, let inventory else { return database }
        try key.withKeys { _ in try key.settleFiles(database: inventory.digest, seeds: seeds) }
        // The mark comes last: killed in front of it, the next opening notes it.
        let current = database.schema == ColdDatabase.secondSchema ? try database.extended() : database
        CrashPoint.reach("extend.written")
        try key.withKeys { _ in try key.noteSchema() }
        return current
    }

    /// Gives a vault of the first schema an inventory and the note of its files, once. The note comes first and the
    /// mark last: killed in between it is of the first schema and begins anew, or of today's, whose rules hold for it
    /// at once.
    private static func upgraded(_ database: ColdDatabase, in folder: URL, _ key: VaultKey) throws -> ColdDatabase {
        // Its names are in no other place: a person is asked, also within a session.
        let seeds = try SealedSeeds(path: seedsPath(folder), key: key, isKnown: false).unknownFile()
        try key.withKeys { _ in try key.write(KnownFiles(seeds: [seeds])) }
        CrashPoint.reach("upgrade.noted")
        let upgraded = try database.upgraded()
        CrashPoint.reach("upgrade.written")
        try key.withKeys { _ in try key.noteSchema() }
        return upgraded
    }
}
