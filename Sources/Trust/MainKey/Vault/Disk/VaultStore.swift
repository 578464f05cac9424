import HardwareKeys

/// A key file with its bytes.
struct Keyring {
    let file: KeyFile
    let bytes: [UInt8]
}

/// The folder of a vault as one opening uses it: its lock, its key file, and what a crash left there.
final class VaultStore: Sendable {
    typealias Name = VaultDirectory.Name

    let path: String
    let directory: VaultDirectory
    /// The items and their list.
    let items: ListedItems
    /// Whether it was opened to look at it only.
    let changesNothing: Bool
    private let options: OpenOptions

    /// - Throws: as ``VaultDirectory``.
    init(
        at path: String, _ opening: PrivateDirectory.Opening, _ options: OpenOptions, changesNothing: Bool = false
    ) throws(MainKeyError) {
        self.path = path
        self.changesNothing = changesNothing
        self.options = options
        directory = try VaultDirectory(path, opening, allowNetworkFileSystem: options.allowsNetworkFileSystem)
        items = ListedItems(in: directory)
    }

    /// Waits for the lock of the folder.
    ///
    /// - Parameters:
    ///   - makesFile: whether a missing file of the lock is made.
    ///   - patience: nil for what the opening allows.
    func lock(
        _ mode: DirectoryLock.Mode, makesFile: Bool = true, patience: Duration? = nil
    ) throws(MainKeyError) -> HeldLock {
        try HeldLock(mode, of: directory, patience: patience ?? options.lockTimeout, makesFile: makesFile)
    }

    /// Waits for the lock with which the vault is read.
    func lockForReading() throws(MainKeyError) -> HeldLock { try lock(.shared, makesFile: !changesNothing) }

    // MARK: The key file

    /// Reads the key file as it is on disk.
    func load() throws(MainKeyError) -> Keyring {
        guard !changesNothing else { return try keyFileThatCounts() }
        guard let bytes = try directory.keyFile() else { throw .notFound("vault in \(path)") }
        return Keyring(file: try KeyFile(parsing: bytes), bytes: bytes)
    }

    /// Reads the key file, which must be one of this MainKey.
    func load(under secrets: MainKeySecrets) throws(MainKeyError) -> Keyring {
        let keyring = try load()
        _ = try keyring.file.verify(keyring.bytes, under: secrets)
        return keyring
    }

    /// The key file and the one beside it, as far as they can be read.
    var readableKeyFiles: [KeyFile] {
        [Name.keyFile, Name.stagedKeyFile].compactMap { try? FoundKeyFile($0, in: directory).file }
    }

    /// The key file that counts, whatever a crash left beside it.
    private func keyFileThatCounts() throws(MainKeyError) -> Keyring {
        let name: String
        switch try decide() {
        case .useKeyFile, .discardNew, .reportKeyFile: name = Name.keyFile
        case .promoteNew: name = Name.stagedKeyFile
        case .finishWipeThenNotFound:
            throw .notFound("vault in \(path) any more: \(MainKeyError.Situation.wipeUnfinished.rawValue)")
        case .notFound, .discardNewThenNotFound, .recoverable, .counterNeeded, .rolledBack, .tampered:
            throw .notFound("vault in \(path)")
        }
        guard let bytes = try directory.keyFile(name) else { throw .notFound("vault in \(path)") }
        return Keyring(file: try KeyFile(parsing: bytes), bytes: bytes)
    }

    /// The key file, after what a crash left was put right. Only then others have to wait.
    func recoveredKeyFile() throws(MainKeyError) -> KeyFile {
        let isLeft = try hasLeftovers()
        let lock = try lock(isLeft ? .exclusive : .shared)
        defer { withExtendedLifetime(lock) {} }
        let leftovers = isLeft ? try recover() : []
        guard let bytes = try directory.keyFile() else {
            // Also in the error: whoever opens a vault that is gone has no events of it.
            guard !leftovers.isEmpty else { throw .notFound("vault in \(path)") }
            let told = leftovers.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }.joined(separator: "; ")
            throw .notFound(
                "vault in \(path) any more: a wipe that was begun is finished, and this was not removed from the TPM: \(told)"
            )
        }
        return try KeyFile(parsing: bytes)
    }

    /// The application that alone knows where the vault's sealed data lies; nil for none.
    ///
    /// - Throws: `tampered` for what names no program: no code covers the name, which a person is told to run.
    func owner() throws(MainKeyError) -> String? {
        guard let bytes = try directory.files.read(Name.owner, limit: 256) else { return nil }
        let name = String(decoding: bytes, as: UTF8.self)
        guard OwnerName.isOne(name) else {
            throw .tampered(reason: "the file \(Name.owner) in \(path), which names a vault's program, names none")
        }
        return name
    }

    // MARK: What a crash left

    /// Whether a crash has left something that ``recover()`` puts right.
    func hasLeftovers() throws(MainKeyError) -> Bool {
        if try WipeMark.isPresent(in: directory) { return true }
        if try items.isListStaged() { return true }
        return try FoundKeyFile(Name.stagedKeyFile, in: directory).state != .absent
    }

    /// Decides what a crash left, and does it. The caller holds the exclusive lock.
    ///
    /// - Parameter hub: tells what a wipe that is finished here could not remove from the hardware; one without
    ///   subscribers tells those who hear of all vaults.
    /// - Returns: the same.
    @discardableResult
    func recover(telling hub: EventHub = EventHub()) throws(MainKeyError) -> [String] {
        switch try decide() {
        case .discardNew, .discardNewThenNotFound: try directory.files.remove(Name.stagedKeyFile)
        case .promoteNew: try directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
        case .finishWipeThenNotFound:
            let leftovers = try resumeWipe()
            for leftover in leftovers { hub.post(.hardwareLeftover(leftover)) }
            return leftovers
        case .useKeyFile: break
        case .notFound, .reportKeyFile, .recoverable, .counterNeeded, .rolledBack, .tampered: return []
        }
        CrashPoint.reach("recover.items")
        try items.settle()
        return []
    }

    /// Does what a process that died in a wipe left undone. The caller holds the exclusive lock, and knows that it is
    /// meant.
    ///
    /// - Returns: what could not be removed from the hardware, in words.
    func resumeWipe(data: NamedData = NamedData([])) throws(MainKeyError) -> [String] {
        let leftovers = WipeRemains.removeIndices(of: readableKeyFiles, tpm: options.tpm)
        try WipeRemains.remove(from: self, data)
        return leftovers
    }

    /// What is to be done about what a crash left; changes nothing.
    ///
    /// - Throws: for what no program may decide; what is wrong with a mark that says that a wipe was begun.
    private func decide() throws(MainKeyError) -> RecoveryDecision {
        let isWiping = try WipeMark.genuine(in: directory, options.knownVaults) != nil
        let current = try FoundKeyFile(Name.keyFile, in: directory)
        let new = try FoundKeyFile(Name.stagedKeyFile, in: directory)
        // Only two files that differ by one step of the counter need to be told apart by it.
        var counter: UInt64?
        switch current.file?.anchor {
        case .tpm(let index, _)? where new.state != .absent:
            let bound = try? current.file?.tpmSlot?.tpmBlob().parentName
            let tpm = try? TPM(at: options.tpm ?? .standard)
            counter = try? (bound.flatMap { tpm?.pinned(to: $0) } ?? tpm)?.readCounter(index)
        case .external? where new.state != .absent: counter = try? options.externalAnchor?.value()
        default: break
        }
        let decision = RecoveryDecision(
            isWiping: isWiping, keyFile: current.state, new: new.state(beside: current), counter: counter)
        switch decision {
        case .recoverable:
            throw .recoverable(
                reason: new.file == nil
                    ? "The key file in \(path) is missing, and \(Name.stagedKeyFile) beside it is damaged."
                    : "The key file in \(path) is missing or damaged, and a newer one is complete beside it.")
        case .counterNeeded:
            throw .hardwareUnavailable(
                reason: "a change of the vault was interrupted, and only its rollback counter tells whether it was made"
            )
        case .rolledBack: throw .rolledBack(reason: "the rollback counter has moved on since this state was current")
        case .tampered: throw .tampered(reason: "the rollback anchor went back")
        default: return decision
        }
    }

    // MARK: What a person decides

    /// Puts the complete new file in the place of a missing or damaged one.
    func putNewKeyFileInPlace() throws(MainKeyError) {
        let lock = try lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        guard let new = try directory.keyFile(Name.stagedKeyFile) else {
            throw .notFound("newer key file in \(path)")
        }
        _ = try KeyFile(parsing: new)
        if try FoundKeyFile(Name.keyFile, in: directory).file != nil {
            throw .configError(reason: "the key file in \(path) is whole; there is nothing to repair")
        }
        try directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
    }
}
