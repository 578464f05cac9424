import HardwareKeys

/// What a wipe removes behind its mark, also where another process began it: no step needs the ones before it to have
/// been finished in this process.
enum WipeRemains {
    private typealias Name = VaultDirectory.Name

    /// The TPM's indices that key files depend on which nobody has authenticated.
    struct OwnIndices {
        /// Those that are certainly the vault's: PIN indices before the counters by which they are known.
        var places: [IndexJournal.Place] = []
        /// What is said of the others, where the TPM does not tell or says that they are somebody else's by now.
        var leftovers: [String] = []
    }

    /// Asks for indices of a blob that this TPM made, for a folder from elsewhere could name another vault's; and only
    /// while its counter has the value of the blob: of an older copy the handles may be another vault's, whose counter
    /// has more than any before it.
    ///
    /// - Parameter tpm: nil is the machine's own.
    static func ownIndices(of files: [KeyFile], tpm: TPMAddress?) -> OwnIndices {
        let blobs = files.flatMap(\.slots).filter { $0.hardwareKind == .tpm2 }.compactMap { try? $0.tpmBlob() }
        let bound = blobs.filter { $0.policy.counter != nil }
        guard !bound.isEmpty else { return OwnIndices() }
        var owned: Set<IndexJournal.Entry> = []
        var leftovers: [IndexJournal.Place: String] = [:]
        let connection = Result { () throws(HardwareKeyError) in try TPM(at: tpm ?? .standard) }
        for blob in bound {
            let entries = VaultIndices.entries(of: blob)
            do throws(HardwareKeyError) {
                let isOwn = try isCurrent(blob, in: try connection.get())
                if isOwn == true { owned.formUnion(entries) }
                guard isOwn == false else { continue }
                for entry in entries {
                    leftovers[entry.place] = "a newer copy of this vault may need it, or another vault: leave it there"
                }
            } catch {
                for entry in entries { leftovers[entry.place] = "\(MainKeyError(error))" }
            }
        }
        let pins = owned.filter { $0.counterValue == nil }
        let places = (Array(pins) + owned.subtracting(pins)).map(\.place)
        let told = leftovers.filter { !places.contains($0.key) }.map { "\($0): \($1)" }
        return OwnIndices(places: places, leftovers: told.sorted())
    }

    /// Whether a blob's counter has the value that the blob is bound to.
    ///
    /// - Returns: nil where the blob, or its counter, is not of this TPM.
    private static func isCurrent(_ blob: TPMSealedBlob, in tpm: TPM) throws(HardwareKeyError) -> Bool? {
        guard let counter = blob.policy.counter, try tpm.made(blob) else { return nil }
        do throws(HardwareKeyError) {
            return try tpm.pinned(to: blob.parentName).readCounter(counter.index) == counter.value
        } catch {
            if case .dead = error { return nil }
            throw error
        }
    }

    /// - Returns: what could not be removed, in words.
    static func removeIndices(of files: [KeyFile], tpm: TPMAddress?) -> [String] {
        let own = ownIndices(of: files, tpm: tpm)
        let failures = own.places.compactMap { place in
            place.remove { () throws(MainKeyError) in try onHardware(try TPM(at: tpm ?? .standard)) }
        }
        return own.leftovers + failures
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
