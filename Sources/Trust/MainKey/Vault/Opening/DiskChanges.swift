import SecretMemory
import Synchronization

/// What other processes change in a vault's folder: taken over, or the vault locks (`mainkey` section 22).
final class DiskChanges: Sendable {
    private typealias Name = VaultDirectory.Name

    private let store: VaultStore
    private let memory: VaultMemory
    /// This process's own signals to lock that its watch has not come to; nil without a watch.
    private let ownSignals = Mutex<Int?>(nil)
    private let watch = Mutex<DirectoryWatch?>(nil)
    /// Called between the two files of a look, where tests have another process write.
    private let betweenFiles: @Sendable () -> Void

    init(_ store: VaultStore, _ memory: VaultMemory, betweenFiles: @escaping @Sendable () -> Void = {}) {
        self.store = store
        self.memory = memory
        self.betweenFiles = betweenFiles
    }

    /// Watches the folder from now on, so that changes are seen at once.
    func beginWatching() throws(MainKeyError) {
        let watch = try DirectoryWatch(store.directory.files) { [weak self] in self?.noticed($0) }
        ownSignals.withLock { $0 = 0 }
        self.watch.withLock { $0 = watch }
    }

    /// What has changed in the folder: somebody asked everybody to lock, the session that unlocked this process ended,
    /// or the vault is another.
    private func noticed(_ change: DirectoryWatch.Change) {
        if change == .name(Name.lockSignal) {
            // Its own comes late, when this process may be unlocking again; it has locked by itself.
            if takeOwnSignal() { return }
            return memory.lock(.explicit)
        }
        // Among what was not kept may have been one of its own; locking once too often does no harm.
        if change == .anything { ownSignals.withLock { $0? = 0 } }
        // It goes as soon as it came, by when this process may be unlocking again.
        if change == .removed(Name.lockSignal) { return }
        let usesSession = memory.held.keys?.deadline != nil
        if usesSession, (try? SessionTicket.bytes(in: store.directory)) ?? nil == nil {
            return memory.lock(.explicit)
        }
        refresh()
    }

    /// Takes over what another process changed, or locks if it is nothing that may be taken over.
    func refresh() {
        // After an operation of this process, whose own changes are no news.
        memory.turns.lock()
        defer { memory.turns.unlock() }
        reconcile()
    }

    /// What a folder holds in the place of a vault.
    private enum Found {
        case keyring(Keyring)
        /// There is none, or its wipe has begun.
        case wiped
        case damaged(MainKeyError)
    }

    /// Looks at the folder without its lock, at one file after the other.
    private func look(for vault: VaultID) -> Found {
        do throws(MainKeyError) {
            // Whoever wrote it: nothing is removed here, and a key that is out of memory harms nobody.
            if let mark = try WipeMark.read(from: store.directory), mark.vault == vault { return .wiped }
            betweenFiles()
            return .keyring(try store.load())
        } catch {
            if case .notFound = error { return .wiped }
            return .damaged(error)
        }
    }

    /// Looks again at what seems to be damaged: a wipe writes its mark and then over the key file, and both may have
    /// come between the two files of one look. The second look finds the mark, or no file any more.
    private func lookTwice(for vault: VaultID) -> Found {
        let found = look(for: vault)
        if case .damaged = found { return look(for: vault) }
        return found
    }

    private func reconcile() {
        let (known, unlocked) = memory.held
        let path = store.path
        let keyring: Keyring
        switch lookTwice(for: known.vault) {
        case .keyring(let found): keyring = found
        case .wiped: return memory.lock(.wiped)
        // What cannot be read now may be whole.
        case .damaged(.io): return memory.lock(.tampered)
        case .damaged: return memory.fail(.tampered(reason: "the key file in \(path) cannot be parsed any more"))
        }
        let file = keyring.file
        guard file.vault == known.vault else {
            return memory.fail(.tampered(reason: "\(path) holds another vault"))
        }
        guard file.mainKeyID == known.mainKeyID else {
            memory.know(file)
            return memory.lock(.rekeyed)
        }
        guard file.generation >= known.generation else {
            return memory.fail(.rolledBack(reason: "the key file is older than the one that is in use"))
        }
        guard file.generation > known.generation else { return }
        guard let secrets = unlocked?.secrets else {
            memory.know(file)
            return memory.hub.post(.changed(generation: file.generation))
        }
        do throws(MainKeyError) {
            _ = try file.verify(keyring.bytes, under: secrets)
            if let unlocked = memory.held.keys { try memory.adopt(file, unlocked) }
        } catch {
            memory.fail(.tampered(reason: "the key file in \(path) is not what the key of this vault wrote"))
        }
    }

    // MARK: Telling the others

    /// Tells every process that has this vault open to lock, by a file that comes and goes.
    func signalToLock() throws(MainKeyError) {
        let files = store.directory.files
        ownSignals.withLock { $0? += 1 }
        do throws(MainKeyError) {
            try files.write([], to: Name.lockSignal)
        } catch {
            ownSignals.withLock { $0? -= 1 }
            throw error
        }
        try files.remove(Name.lockSignal)
    }

    /// - Returns: whether a signal to lock is one of this process.
    private func takeOwnSignal() -> Bool {
        ownSignals.withLock { signals in
            guard let count = signals, count > 0 else { return false }
            signals = count - 1
            return true
        }
    }
}
