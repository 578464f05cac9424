import HardwareKeys

/// Destroys every key of a vault, so that no data of it can be opened by anybody, and then what is left of the vault
/// (`mainkey` section 16). After a crash anywhere the next opening of the vault's account finishes it.
struct VaultWipe: Sendable {
    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let indices: VaultIndices
    let remembered: RememberedVault
    let itemCache: ItemCache
    let tpm: TPMAddress?

    /// - Returns: what could not be removed from the hardware, in words.
    func wipe(data: [String]) throws(MainKeyError) -> [String] {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        return try wipeLocked(data: data)
    }

    /// The caller holds the exclusive lock.
    @discardableResult
    func wipeLocked(data: [String]) throws(MainKeyError) -> [String] {
        let (file, unlocked) = memory.held
        let mark = try WipeMark(file.vault, signedWith: remembered.wipeKey())
        CrashPoint.reach("wipe.1")
        try mark.write(to: store.directory)
        CrashPoint.reach("wipe.2")
        memory.lock(.wiped)
        itemCache.removeAll()
        CrashPoint.reach("wipe.3")
        let own = WipeRemains.ownIndices(of: [file] + store.readableKeyFiles, tpm: tpm)
        for leftover in own.leftovers { memory.hub.post(.hardwareLeftover(leftover)) }
        var listed: [IndexJournal.Place] = []
        if let key = try? unlocked.map({ (unlocked) throws(MainKeyError) in try IndexJournalKey(unlocked.secrets) }),
            let entries = try? VaultIndices.indexEntries(of: file),
            let journal = (try? store.directory.indexJournal(under: key, besides: entries)) ?? nil
        {
            listed = (try? indices.unused(in: journal, besides: Set(own.places)))?.unused.map(\.place) ?? []
        }
        CrashPoint.reach("wipe.4")
        let leftovers = own.leftovers + indices.remove(listed + own.places)
        if let secrets = unlocked?.secrets { moveCounter(of: file, secrets) }
        try WipeRemains.remove(from: store, NamedData(data))
        CrashPoint.reach("wipe.9")
        remembered.forget(file)
        return leftovers
    }

    /// With the key at hand a counter that could not be removed moves once more, and copies of the vault die by that.
    private func moveCounter(of file: KeyFile, _ secrets: MainKeySecrets) {
        guard case .tpm(let index, _) = file.anchor, let tpm = try? hardware.tpm(of: file),
            let authorisation = try? secrets.counterAuthorisation()
        else { return }
        try? tpm.incrementCounter(index, auth: authorisation)
    }
}
