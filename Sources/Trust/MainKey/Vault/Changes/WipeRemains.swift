import HardwareKeys

/// What a wipe removes behind its mark, also where another process began it: no step needs the ones before it to have
/// been finished in this process.
enum WipeRemains {
    private typealias Name = VaultDirectory.Name

    /// Indices of TPMs that a wipe has to do with, which nobody has authenticated where key files name them.
    struct OwnIndices {
        /// Those that are certainly the vault's: PIN indices before the counters by which they are known.
        var places: [IndexJournal.Place] = []
        /// What is said of the others, where the TPM does not tell, says that they are somebody else's by now, or is
        /// not the one that answers.
        var leftovers: [String] = []
    }

    /// What is known of the indices that a blob depends on.
    private enum Standing {
        case own
        /// The TPM has proven that the counter is gone, and no copy of the blob opens any more.
        case gone
        case left(String)
    }

    /// Asks for indices of a blob that this TPM made, for a folder from elsewhere could name another vault's; and only
    /// while its counter has the value of the blob: of an older copy the handles may be another vault's, whose counter
    /// has more than any before it.
    ///
    /// - Parameter tpm: nil is the machine's own.
    static func ownIndices(of files: [KeyFile], tpm: TPMAddress?) -> OwnIndices {
        let blobs = files.flatMap(\.slots).filter { $0.hardwareKind == .tpm2 }.compactMap { try? $0.tpmBlob() }
        let bound = blobs.compactMap { blob in blob.policy.counter.map { (blob: blob, counter: $0) } }
        guard !bound.isEmpty else { return OwnIndices() }
        var owned: Set<IndexJournal.Entry> = []
        var leftovers: [IndexJournal.Place: String] = [:]
        let connection = Result { () throws(HardwareKeyError) in try TPM(at: tpm ?? .standard) }
        for (blob, counter) in bound {
            let entries = VaultIndices.entries(of: blob)
            do throws(HardwareKeyError) {
                switch try standing(of: blob, with: counter, in: try connection.get()) {
                case .own: owned.formUnion(entries)
                case .gone: continue
                case .left(let reason): for entry in entries { leftovers[entry.place] = reason }
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

    /// Who says that something is not there, or not its own, has to be the TPM that sealed the blob: else a wipe where
    /// another one answers, or through somebody who answers in its place, would pass over indices by which every copy
    /// of the vault goes on to open.
    private static func standing(
        of blob: TPMSealedBlob, with counter: (index: UInt32, value: UInt64), in tpm: TPM
    ) throws(HardwareKeyError) -> Standing {
        do throws(HardwareKeyError) {
            guard try tpm.pinned(to: blob.parentName).readCounter(counter.index) == counter.value else {
                return .left("a newer copy of this vault may need it, or another vault: leave it there")
            }
        } catch {
            switch error {
            case .dead: return .gone
            case .unavailable(.otherHardware): return .left(elsewhere(blob.parentName))
            default: throw error
            }
        }
        return try tpm.made(blob)
            ? .own : .left("the TPM does not take for its own what is sealed with it: see whose it is")
    }

    /// What is said of an index in a TPM that is not the one which answers.
    static func elsewhere(_ storageKey: [UInt8]) -> String {
        "it is in the TPM with the storage key \(TPMIdentity.short(storageKey)), and another one answers: remove it "
            + "there, unless that one was cleared"
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
