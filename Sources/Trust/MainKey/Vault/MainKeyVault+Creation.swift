import BasicFoundation
import HardwareKeys
import SecretMemory

/// How vaults are made.
extension MainKeyVault {
    /// Makes a vault and unlocks it.
    ///
    /// - Parameters:
    ///   - path: a folder without a vault, of this user alone. It is made if it does not exist; what else is in it
    ///     stays.
    ///   - protections: 1 to 8; each opens the vault.
    /// - Throws: `configError` if there is a vault already or the protections do not go together, `weakPIN`, `io`,
    ///   those of the hardware.
    public static func create(
        at path: String, _ protections: [Protection], _ options: VaultOptions = VaultOptions(),
        opening: OpenOptions = OpenOptions()
    ) throws(MainKeyError) -> MainKeyVault {
        try check(protections, options)
        if protections.contains(where: { $0.kind == .none }) { try opening.knownVaults?.checkIsReadable() }
        let store = try VaultStore(at: path, .creating, opening)
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        try store.recover()
        guard try store.directory.keyFile() == nil else {
            throw .configError(reason: "there is a vault in \(path) already")
        }
        let cost = try SlotRules.cost(of: protections, besides: [], options.cost)
        let secrets = try MainKeySecrets.random(vault: .random())
        let file = try KeyFile(new: secrets, options)
        let vault = MainKeyVault(store, of: file, opening)
        vault.remembered.removeUnfinished(vault.indices)
        try vault.makeFirst(file, secrets, protections: protections, cost: cost, owner: options.owner)
        try vault.watch(opening.watching)
        return vault
    }

    /// Removes from the TPM what a process that died made for a vault which it did not finish. Does nothing where there
    /// is a vault in the folder.
    ///
    /// - Throws: `io`, `busy`; what the TPM refuses is told to nobody.
    package static func removeUnfinished(at path: String, _ opening: OpenOptions) throws(MainKeyError) {
        let store = try VaultStore(at: path, .existing, opening)
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let file = try KeyFile(new: MainKeySecrets.random(vault: .random()), VaultOptions())
        let vault = MainKeyVault(store, of: file, opening)
        vault.remembered.removeUnfinished(vault.indices)
    }

    /// What has to hold for the protections of a vault as a whole.
    package static func check(_ protections: [Protection], _ options: VaultOptions) throws(MainKeyError) {
        try SlotRules.check(protections, options)
    }

    /// Whether so many PINs and recovery codes can have a cost together, before they are asked for and shown.
    ///
    /// - Throws: `configError`
    package static func check(_ cost: Argon2Cost?, ofWays count: Int) throws(MainKeyError) {
        if let cost { try SlotRules.check(cost, ofAdding: count, to: []) }
    }

    private func makeFirst(
        _ draft: KeyFile, _ secrets: MainKeySecrets, protections: [Protection], cost: Argon2Cost?, owner: String?
    ) throws(MainKeyError) {
        var file = draft
        let isBound = protections.contains(where: \.kind.isHardware)
        let making = SlotMaking(
            secrets: secrets, cost: cost, now: file.createdAt, attemptLimit: file.attemptLimit, counter: nil,
            items: store.items.files, journal: isBound ? try remembered.indexJournal(indices, making: secrets) : nil,
            tpm: hardware.enrollingTPM)
        CrashPoint.reach("create.slots")
        let made = try making.make(protections, besides: [])
        do throws(MainKeyError) {
            file.slots = made.slots
            file.anchor = made.anchor
            file.flags.note(made, among: file.slots)
            if let owner { try store.directory.files.write(Array(owner.utf8), to: VaultDirectory.Name.owner) }
            try authentication.limiter(of: file).reset()
            // Of another vault, whose key file somebody removed.
            try store.items.removeLists()
        } catch {
            making.undo(made)
            throw error
        }
        CrashPoint.reach("create.attempts")
        file = try commits.commit(KeyFileChange(file: file, secrets: secrets), from: 0) { making.undo(made) }
        var epochs: [UInt32: SecretBytes] = [:]
        for record in file.epochs { epochs[record.epoch] = try record.open(under: secrets) }
        var unlocked = UnlockedKeys(
            secrets: secrets, keys: memory.epochKeys(epochs, of: file), slot: file.slots[0].id, hardware: nil)
        unlocked.take(made.bound, of: file)
        try memory.install(unlocked, of: file, unlessAskedToLockSince: nil)
        remembered.note(file, .unsettled)
    }
}

extension KeyFile {
    /// The first file of a vault, which has no way to open it yet.
    fileprivate init(new secrets: MainKeySecrets, _ options: VaultOptions) throws(MainKeyError) {
        let now = UInt64(max(0, Date().timeIntervalSince1970))
        let epoch = try EpochRecord(
            epoch: 1, createdAt: now, state: .active, key: try secret { try SecretBytes.drawn(count: 32) },
            under: secrets)
        self.init(
            vault: secrets.vault, generation: 1, createdAt: now, flags: options.flags,
            attemptLimit: UInt8(options.attemptLimit), autolockMinutes: Int32(options.autolock.rawValue),
            mainKeyID: secrets.id, anchor: .absent, slots: [], epochs: [epoch],
            itemRoot: ItemList.root(of: ItemList().bytes(of: secrets.vault)))
    }
}

extension VaultOptions {
    fileprivate var flags: KeyFile.Flags {
        var flags: KeyFile.Flags = []
        if wipesOnLimit { flags.insert(.wipeOnLimit) }
        if requiresHardware { flags.insert(.requireHardware) }
        if hasStrictAnchor { flags.insert(.strictAnchor) }
        return flags
    }
}
