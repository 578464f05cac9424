import HardwareKeys
import SecretMemory

extension VaultEngine {
    /// Destroys every key, so that no data of the vault can be opened by anybody, and then what is left of the vault
    /// (`mainkey` section 16). After a crash anywhere the next opening of the vault's account finishes it.
    ///
    /// - Parameter data: folders and files of the application to remove too. A wipe that was interrupted does not know
    ///   them any more; whoever asks for it again names them again.
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
        let mark = try WipeMark(file.vault, signedWith: Self.wipeKey(options, hub))
        CrashPoint.reach("wipe.1")
        try mark.write(to: directory)
        CrashPoint.reach("wipe.2")
        lock(.wiped)
        itemCache.removeAll()
        CrashPoint.reach("wipe.3")
        var indices = Self.ownIndices(of: [file] + Self.keyFilesOnDisk(directory), options.tpm)
        // What was unlocked is what its key wrote, if it is of this TPM.
        if secrets != nil, !isBoundElsewhere(file) { indices.formUnion((try? Self.indices(of: file)) ?? []) }
        // Before the counter moves, by which the listed ones are known again.
        if let secrets, let journal = (try? directory.indexJournal(under: secrets)) ?? nil {
            indices.formUnion(((try? unusedIndices(in: journal, besides: indices)) ?? []).map(\.index))
        }
        // With the key at hand the counter moves once more: copies of the vault die even if its index cannot be
        // removed.
        if let secrets, case .tpm(let index, _) = file.anchor, let tpm = try? tpm(of: file),
            let authorisation = try? secrets.counterAuthorisation()
        {
            _ = try? tpm.incrementCounter(index, auth: authorisation)
        }
        CrashPoint.reach("wipe.4")
        let leftovers = removeIndices(indices.sorted())
        try Self.finishWipe(directory, NamedData(data))
        CrashPoint.reach("wipe.9")
        try? options.knownVaults?.forget(file.vault, at: path)
        return leftovers
    }

    /// What signs the mark. A wipe goes on without it: only its process can finish it then, or somebody who asks for it
    /// by name.
    private static func wipeKey(_ options: OpenOptions, _ hub: EventHub) -> SecretBytes? {
        do throws(MainKeyError) { return try options.knownVaults?.wipeKey(.creating) } catch {
            hub.post(.hardwareLeftover("the wipe cannot be signed; if it is interrupted, ask for it again (\(error))"))
            return nil
        }
    }

    /// Whether a wipe of what is in a folder was begun, or something says so.
    package static func isWipeBegun(at path: String, _ options: OpenOptions) throws(MainKeyError) -> Bool {
        let directory = try VaultDirectory(
            path, .existing, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        return try WipeMark.isPresent(in: directory)
    }

    /// Wipes what a wipe left that was interrupted, because somebody asks for it: whoever wrote its mark.
    ///
    /// - Parameter data: as for ``wipe(data:)``.
    /// - Returns: what could not be removed from the hardware, in words.
    package static func finishWipe(
        at path: String, data: [String] = [], _ options: OpenOptions
    ) throws(MainKeyError) -> [String] {
        let directory = try VaultDirectory(
            path, .existing, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        return try resumeWipe(directory, data: NamedData(data), tpm: options.tpm)
    }

    /// Does what a process that died in a wipe left undone. The caller holds the exclusive lock, and knows that it is
    /// meant.
    ///
    /// - Parameter tpm: nil is the machine's own.
    @discardableResult
    static func resumeWipe(
        _ directory: VaultDirectory, data: NamedData = NamedData([]), tpm: TPMAddress?
    ) throws(MainKeyError) -> [String] {
        var leftovers: [String] = []
        let indices = ownIndices(of: keyFilesOnDisk(directory), tpm)
        if !indices.isEmpty {
            do throws(HardwareKeyError) {
                let connection = try TPM(at: tpm ?? .standard)
                for index in indices { try? connection.undefine(index) }
            } catch {
                leftovers = indices.sorted().map { "the TPM's index 0x\(String($0, radix: 16)): \(error)" }
            }
        }
        try finishWipe(directory, data)
        return leftovers
    }

    /// The key file and the one beside it, as far as they can be read.
    private static func keyFilesOnDisk(_ directory: VaultDirectory) -> [KeyFile] {
        [Name.keyFile, Name.stagedKeyFile].compactMap { try? FoundKeyFile($0, in: directory).file }
    }

    /// The TPM's indices that key files depend on which nobody has authenticated: only those of a blob that this TPM
    /// made, for a folder from elsewhere could name another vault's. All of them where the TPM cannot be asked, to be
    /// told.
    private static func ownIndices(of files: [KeyFile], _ tpm: TPMAddress?) -> Set<UInt32> {
        let slots = files.flatMap(\.slots).filter { $0.hardwareKind == .tpm2 }
        guard !slots.isEmpty else { return [] }
        let connection = try? TPM(at: tpm ?? .standard)
        var found: Set<UInt32> = []
        for slot in slots {
            guard let blob = try? TPMSealedBlob(parsing: slot.hardwareBlob),
                connection == nil || (try? connection?.made(blob)) == true
            else { continue }
            found.formUnion([blob.policy.counter?.index, blob.policy.pin?.index].compactMap { $0 })
        }
        return found
    }

    /// What is left after the hardware: no step needs the ones before it to have been finished in this process.
    private static func finishWipe(_ directory: VaultDirectory, _ data: NamedData) throws(MainKeyError) {
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
        for name in [Name.itemList, Name.stagedItemList] { try directory.files.remove(name) }
        try directory.files.remove(Name.owner)
        try data.remove()
        CrashPoint.reach("wipe.8")
        try directory.files.remove(Name.wipe)
        try directory.files.sync()
    }
}
