import HardwareKeys

/// What a wipe removes behind its mark, also where another process began it: no step needs the ones before it to have
/// been finished in this process.
enum WipeRemains {
    private typealias Name = VaultDirectory.Name

    /// The TPM's indices that key files depend on which nobody has authenticated: only those of a blob that this TPM
    /// made, for a folder from elsewhere could name another vault's. All of them where the TPM cannot be asked, to be
    /// told.
    ///
    /// - Parameter tpm: nil is the machine's own.
    static func ownIndices(of files: [KeyFile], tpm: TPMAddress?) -> Set<IndexJournal.Place> {
        let slots = files.flatMap(\.slots).filter { $0.hardwareKind == .tpm2 }
        guard !slots.isEmpty else { return [] }
        let connection = try? TPM(at: tpm ?? .standard)
        var found: Set<IndexJournal.Place> = []
        for slot in slots {
            guard let blob = try? slot.tpmBlob(), connection == nil || (try? connection?.made(blob)) == true
            else { continue }
            let indices = [blob.policy.counter?.index, blob.policy.pin?.index].compactMap { $0 }
            found.formUnion(indices.map { IndexJournal.Place(storageKey: blob.parentName, index: $0) })
        }
        return found
    }

    /// - Returns: what could not be removed, in words.
    static func removeIndices(of files: [KeyFile], tpm: TPMAddress?) -> [String] {
        let indices = ownIndices(of: files, tpm: tpm)
        if indices.isEmpty { return [] }
        do throws(HardwareKeyError) {
            let connection = try TPM(at: tpm ?? .standard)
            for place in indices { try? connection.pinned(to: place.storageKey).undefine(place.index) }
            return []
        } catch {
            return indices.map { "\($0): \(error)" }
        }
    }

    /// Removes what is left after the hardware.
    static func remove(from store: VaultStore, _ data: NamedData) throws(MainKeyError) {
        let files = store.directory.files
        CrashPoint.reach("wipe.5")
        try files.overwriteAndRemove(Name.keyFile)
        CrashPoint.reach("wipe.6")
        try files.overwriteAndRemove(Name.stagedKeyFile)
        try files.overwriteAndRemove(Name.session)
        try store.items.files.wipe()
        CrashPoint.reach("wipe.7")
        try files.remove(Name.attempts)
        // Nobody can authenticate it any more.
        try files.remove(Name.indexJournal)
        try store.items.removeLists()
        try files.remove(Name.owner)
        try data.remove()
        CrashPoint.reach("wipe.8")
        try files.remove(Name.wipe)
        try files.sync()
    }
}
