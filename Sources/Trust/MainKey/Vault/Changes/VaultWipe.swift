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
        var own = WipeRemains.ownIndices(of: [file] + store.readableKeyFiles, tpm: tpm)
        if let secrets = unlocked?.secrets {
            let listed = listed(of: file, secrets, besides: own.places)
            own.places = listed.places + own.places
            own.leftovers += listed.leftovers.filter { !own.leftovers.contains($0) }
        }
        for leftover in own.leftovers { memory.hub.post(.hardwareLeftover(leftover)) }
        CrashPoint.reach("wipe.4")
        let leftovers = own.leftovers + indices.remove(own.places)
        if let secrets = unlocked?.secrets { moveCounter(of: file, secrets) }
        try WipeRemains.remove(from: store, NamedData(data))
        CrashPoint.reach("wipe.9")
        remembered.forget(file)
        return leftovers
    }

    /// What the vault's list has besides `own`: nothing but the key tells that it is the vault's.
    private func listed(
        of file: KeyFile, _ secrets: MainKeySecrets, besides own: [IndexJournal.Place]
    ) -> WipeRemains.OwnIndices {
        guard let key = try? IndexJournalKey(secrets), let entries = try? VaultIndices.indexEntries(of: file),
            let journal = (try? store.directory.indexJournal(under: key, besides: entries)) ?? nil
        else { return WipeRemains.OwnIndices() }
        do throws(MainKeyError) {
            let (unused, elsewhere) = try indices.unused(in: journal, besides: Set(own))
            try indices.removeIntended(of: journal, besides: Set(own + elsewhere.map(\.place)))
            return WipeRemains.OwnIndices(
                places: unused.map(\.place),
                leftovers: elsewhere.map { "\($0.place): \(WipeRemains.elsewhere($0.place.storageKey))" })
        } catch {
            let unknown = journal.entries.map(\.place).filter { !own.contains($0) }
            return WipeRemains.OwnIndices(leftovers: unknown.map { "\($0): \(error)" })
        }
    }

    /// With the key at hand a counter that could not be removed moves once more, and copies of the vault die by that.
    private func moveCounter(of file: KeyFile, _ secrets: MainKeySecrets) {
        guard case .tpm(let index, _) = file.anchor, let tpm = try? hardware.tpm(of: file),
            let authorisation = try? secrets.counterAuthorisation()
        else { return }
        try? tpm.incrementCounter(index, auth: authorisation)
    }
}
