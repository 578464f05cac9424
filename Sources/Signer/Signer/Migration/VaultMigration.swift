import BasicFoundation
import Files
import MainKey
import SecretMemory

/// Turns a vault of the first kind, whose seeds lie under a passphrase and whose rows lie in the clear, into one with a
/// MainKey.
///
/// Everything new is made and checked in the folder `key.new`. Giving it the name `key` is the step that counts: killed
/// before it, the vault is the old one; killed after it, the next opening goes on with ``finish(in:)``, which puts
/// zeros over the old files and moves the new ones to their places.
enum VaultMigration {
    private static let database = "vault.sqlite"
    private static let seeds = "seeds.sealed"

    static func isNeeded(in folder: URL) -> Bool {
        !FileManager.default.fileExists(atPath: VaultKey.folder(of: folder).path)
            && PassphraseSeedFile.isPresent(at: folder.appending(path: seeds).path)
    }

    /// The caller holds the vault's lock.
    ///
    /// Where a validator is pinned, nothing is asked for and nothing opened without its word, and the new vault is
    /// bound to it.
    ///
    /// - Parameter unlocking: gives the old passphrase, which is the PIN of the new vault.
    /// - Returns: the new key, unlocked, and what is to tell.
    static func run(in folder: URL, _ unlocking: Unlocking) throws -> (key: VaultKey, account: Vault.Migration) {
        let binding = try binding(unlocking)
        guard
            case .pin(let pin) = try unlocking.credential(
                CredentialRequest(reason: .migration, takesPIN: true, takesRecoveryCode: false))
        else { throw SignerError.vaultKey(.noSuchSlot("a recovery code")) }
        let list = try PassphraseSeedFile(path: folder.appending(path: seeds).path).read(credential: pin)
        let building = folder.appending(path: "key.new")
        try onDisk(building) {
            if FileManager.default.fileExists(atPath: building.path) {
                try FileManager.default.removeItem(at: building)
            }
        }
        CrashPoint.reach("migrate.1")
        let (key, bound) = try newKey(at: building, pin: pin, unlocking: unlocking, binding: binding, in: folder)
        CrashPoint.reach("migrate.2")
        try copyRows(from: folder, to: building, key)
        CrashPoint.reach("migrate.3")
        try copySeeds(list, to: building, key)
        CrashPoint.reach("migrate.4")
        try move(building, to: VaultKey.folder(of: folder))
        CrashPoint.reach("migrate.5")
        try finish(in: folder)
        return (key, Vault.Migration(weakness: PINPolicy.standard.weakness(of: pin), boundTo: bound))
    }

    /// - Throws: what the validator that is pinned has against this program.
    private static func binding(_ unlocking: Unlocking) throws -> NewBinding? {
        guard let source = unlocking.vigil else { return nil }
        do throws(VigilRefusal) { return try source.verdict() == nil ? nil : NewBinding(to: source) } catch {
            throw SignerError.vigil(error)
        }
    }

    /// - Parameters:
    ///   - building: where it is made.
    ///   - folder: of the vault, where it will be.
    private static func newKey(
        at building: URL, pin: SecretBytes, unlocking: Unlocking, binding: NewBinding?, in folder: URL
    ) throws -> (VaultKey, Verdict.Account?) {
        var options = VaultOptions()
        options.autolock = Vault.usualAutolock
        options.cost = unlocking.cost
        options.pinPolicy = .inherited
        let bound = try binding?.bind([.pin(pin)], options.pinPolicy)
        let engine = try onKey {
            try MainKeyVault.create(
                at: building.path, bound?.protections ?? [.pin(pin)], VaultKey.owned(options),
                opening: unlocking.options)
        }
        let key = VaultKey(engine, unlocking, folder: VaultKey.folder(of: folder).path)
        if let bound { try BindingRecord(in: building.path).write(bound.record) }
        try key.write(
            SealedMark(
                validatorKeyID: bound?.account.validatorKeyID, isBound: bound != nil, slot: key.pinWay()?.id))
        try key.write(KnownFiles())
        return (key, bound?.account)
    }

    private static func copyRows(from folder: URL, to building: URL, _ key: VaultKey) throws {
        let old = try ColdDatabase(opening: folder.appending(path: database).path, readOnly: false)
        let new = try ColdDatabase.create(at: building.appending(path: database).path, key: key)
        let log = try old.read { try FirstForm.log($0) }
        try log.verified()
        let state = try old.read { trees in
            try new.write { writer in
                for tree in Tree.allCases where tree != .transaction {
                    for (key, value) in try pairs(tree, trees) { try writer.put(tree, key: key, value: value) }
                }
                try writer.changeInventory { $0.log = log.digest }
            }
            return try StateDigest.state { try pairs($0, trees) }
        }
        // What does not read back as it was is not switched to.
        let (copied, copiedState) = try new.read { trees in
            try trees.check()
            return (try HistoryLog.stored(trees), try StateDigest.state(trees))
        }
        try copied.verified()
        guard copiedState == state else {
            throw SignerError.databaseDamaged(.file(path: new.path, reason: "it was written wrongly"))
        }
    }

    /// The pairs of a tree as the new file has them: of today's schema.
    private static func pairs(_ tree: Tree, _ trees: Trees) throws -> [(key: [UInt8], value: [UInt8])] {
        try trees.pairs(tree).map { key, value in
            guard tree == .settings, key == Setting.schemaVersion.key else { return (key, value) }
            return (key, HistoryLog.key(order: ColdDatabase.schemaVersion))
        }
    }

    private static func copySeeds(_ list: SeedList, to building: URL, _ key: VaultKey) throws {
        let path = building.appending(path: seeds).path
        let sealed = SealedSeeds(path: path, key: key)
        try sealed.write(list)
        for entry in list.entries where try sealed.mnemonic(named: entry.name).entropy != entry.mnemonic.entropy {
            throw SignerError.databaseDamaged(.file(path: path, reason: "it was written wrongly"))
        }
    }

    // MARK: Behind the switch

    static func isUnfinished(in folder: URL) -> Bool {
        [database, seeds].contains { name in
            FileManager.default.fileExists(atPath: VaultKey.folder(of: folder).appending(path: name).path)
        }
    }

    /// Puts the new files in the places of the old ones, of which nothing stays to be read. The caller holds the
    /// vault's lock.
    static func finish(in folder: URL) throws {
        let files = try onDisk { try Folder(FilePath(folder.path), rules: .privateFolder, followsLinks: true) }
        for name in [database, seeds] {
            let made = VaultKey.folder(of: folder).appending(path: name)
            guard FileManager.default.fileExists(atPath: made.path) else { continue }
            try onDisk { try files.overwriteAndRemove(name) }
            CrashPoint.reach("migrate.zeros:\(name)")
            try move(made, to: folder.appending(path: name))
            CrashPoint.reach("migrate.moved:\(name)")
        }
        try onDisk { try files.synchronise() }
    }

    private static func move(_ from: URL, to: URL) throws { try VaultFile(from.path).move(to: VaultFile(to.path)) }
}
