import HardwareKeys
import SecretMemory

extension VaultEngine {
    /// Destroys every key, so that no data of the vault can be opened by anybody, and then what is left of the vault
    /// (`mainkey` section 16). A crash anywhere is finished at the next opening.
    ///
    /// - Parameter data: folders and files of the application to remove too.
    /// - Returns: what could not be removed from the hardware, in words.
    @discardableResult
    package func wipe(data: [String] = []) throws(MainKeyError) -> [String] {
        try exclusively { () throws(MainKeyError) in
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            return try wipeLocked(data: data)
        }
    }

    /// The caller holds the exclusive lock.
    @discardableResult
    func wipeLocked(data: [String]) throws(MainKeyError) -> [String] {
        let (secrets, file) = state.withLock { ($0.unlocked?.secrets, $0.file) }
        let mark = try WipeMark(file.vault, data: data)
        CrashPoint.reach("wipe.1")
        try mark.write(to: directory)
        CrashPoint.reach("wipe.2")
        lock(.wiped)
        itemCache.removeAll()
        CrashPoint.reach("wipe.3")
        var indices = Self.indicesOnDisk(directory).union((try? Self.indices(of: file)) ?? [])
        // Before the counter moves, by which the listed ones are known again.
        if let secrets, let journal = (try? directory.indexJournal(under: secrets)) ?? nil {
            indices.formUnion(((try? unusedIndices(in: journal, besides: indices)) ?? []).map(\.index))
        }
        // With the key at hand the counter moves once more: copies of the vault die even if its index cannot be removed.
        if let secrets, case .tpm(let index, _) = file.anchor, let tpm = try? tpm(),
            let authorisation = try? secrets.counterAuthorisation()
        {
            _ = try? tpm.incrementCounter(index, auth: authorisation)
        }
        CrashPoint.reach("wipe.4")
        let leftovers = removeIndices(indices.sorted())
        try Self.finishWipe(directory, mark)
        CrashPoint.reach("wipe.9")
        return leftovers
    }

    /// Does what a process that died in a wipe left undone; nil is the machine's own TPM.
    static func resumeWipe(_ directory: VaultDirectory, tpm: TPMAddress?) throws(MainKeyError) {
        let indices = indicesOnDisk(directory)
        if !indices.isEmpty, let connection = try? TPM(at: tpm ?? .standard) {
            for index in indices { try? connection.undefine(index) }
        }
        if let mark = try WipeMark.read(from: directory) { try finishWipe(directory, mark) }
    }

    /// The TPM's indices that the key file, or the one beside it, depends on.
    private static func indicesOnDisk(_ directory: VaultDirectory) -> Set<UInt32> {
        var found: Set<UInt32> = []
        for name in [Name.keyFile, Name.stagedKeyFile] {
            guard let file = try? FoundKeyFile(name, in: directory).file else { continue }
            found.formUnion((try? indices(of: file)) ?? [])
        }
        return found
    }

    /// What is left after the hardware: no step needs the ones before it to have been finished in this process.
    private static func finishWipe(_ directory: VaultDirectory, _ mark: WipeMark) throws(MainKeyError) {
        CrashPoint.reach("wipe.5")
        try directory.files.overwriteAndRemove(Name.keyFile)
        CrashPoint.reach("wipe.6")
        try directory.files.overwriteAndRemove(Name.stagedKeyFile)
        try directory.files.overwriteAndRemove(Name.session)
        try FileItemStore(in: directory, service: VaultEngine.itemService).wipe()
        CrashPoint.reach("wipe.7")
        try directory.files.remove(Name.attempts)
        // Nobody can authenticate it any more.
        try directory.files.remove(Name.indexJournal)
        try directory.files.remove(Name.owner)
        try mark.removeData()
        CrashPoint.reach("wipe.8")
        try directory.files.remove(Name.wipe)
        try directory.files.sync()
    }
}
