/// Writes changes of the key file (`mainkey` section 14): killed at any moment, the vault has its old state or the new
/// one.
struct VaultCommits: Sendable {
    private typealias Name = VaultDirectory.Name

    let store: VaultStore
    let memory: VaultMemory
    let hardware: VaultHardware
    let indices: VaultIndices
    let remembered: RememberedVault

    private var items: ListedItems { store.items }
    private var hub: EventHub { memory.hub }

    // MARK: Commits

    /// Writes a change. The caller holds the exclusive lock.
    ///
    /// - Parameters:
    ///   - generation: of the file that the change starts from; 0 for a new vault.
    ///   - undo: takes back what was made for the change, called if it fails and can never become final.
    /// - Returns: the file as it was written.
    @discardableResult
    func commit(
        _ change: KeyFileChange, from generation: UInt64, orElse undo: () -> Void = {}
    ) throws(MainKeyError) -> KeyFile {
        // Before it is final: killed behind that, a vault that its owner unprotected would be refused. If it comes to
        // nothing, the next unlocking remembers what there is.
        if !change.file.slots(of: .none).isEmpty { remembered.note(change.file, generation == 0 ? .unsettled : .here) }
        var change = change
        let file: KeyFile
        do throws(MainKeyError) { file = try stage(&change, from: generation) } catch {
            items.discard(change.items)
            undo()
            throw error
        }
        func takeBack() {
            items.discard(change.items)
            undo()
        }
        CrashPoint.reach("commit.4")
        do throws(MainKeyError) { try advance(change, to: file, orElse: takeBack) } catch {
            // Of a vault that had no anchor the old file is what counts, wherever the new anchor is.
            if file.isAnchoredOutside, !change.file.isAnchoredOutside {
                try? store.directory.files.remove(Name.stagedKeyFile)
                takeBack()
            }
            throw error
        }
        CrashPoint.reach("commit.5")
        do throws(MainKeyError) {
            try store.directory.files.promote(Name.stagedKeyFile, to: Name.keyFile)
        } catch {
            // Without a counter the old file is what counts as long as it has its name.
            if change.advancing == nil, !change.file.isAnchoredOutside, isUnchanged(since: generation) {
                try? store.directory.files.remove(Name.stagedKeyFile)
                takeBack()
            }
            throw error
        }
        CrashPoint.reach("commit.6")
        if let items = change.items { finish(items) }
        indices.removeListed(under: change.secrets)
        removeForgottenItems(of: file)
        CrashPoint.reach("commit.7")
        return file
    }

    /// Writes the new file beside the old one.
    private func stage(_ change: inout KeyFileChange, from generation: UInt64) throws(MainKeyError) -> KeyFile {
        guard !store.changesNothing else { throw .internalFailure(reason: "a vault was opened only to look at it") }
        CrashPoint.reach("commit.1")
        // A process that died may have left the only file that still opens.
        if try store.hasLeftovers() { try store.recover(telling: hub) }
        try checkGeneration(generation)
        var file = change.file
        file.generation = generation + 1
        if try hardware.anchorOutside(&file), change.items == nil, file.itemRoot != nil {
            // From now on what is listed and missing is refused: what was removed before is listed no more.
            change.items = (try? items.changeableList(of: change.file)).map { ItemChange(list: $0) }
        }
        if case .external(let value) = file.anchor { file.anchor = .external(value: value + 1) }
        // A vault of the first versions: its items are taken as they are.
        if file.itemRoot == nil, change.items == nil { change.items = ItemChange(list: try items.files.listed()) }
        if let change = change.items { try items.stage(change, in: &file) }
        let bytes = file.bytes(under: change.secrets)
        CrashPoint.reach("commit.2")
        // What cannot be read back is not written.
        _ = try KeyFile(parsing: bytes).verify(bytes, under: change.secrets)
        CrashPoint.reach("commit.3")
        try bytes.withUnsafeBufferPointer { (bytes) throws(MainKeyError) in
            try store.directory.files.stage(UnsafeRawBufferPointer(bytes), as: Name.stagedKeyFile)
        }
        if change.advancing != nil || file.isAnchoredOutside { try settleName(of: Name.stagedKeyFile) }
        return file
    }

    /// Sees that a loss of power leaves a new key file, with the list beside it, its name: once the counter has moved,
    /// no other file opens. Without a counter its taking its place is what counts, and the disk keeps that for it.
    private func settleName(of staged: String) throws(MainKeyError) {
        do throws(MainKeyError) { try store.directory.files.sync() } catch {
            try? store.directory.files.remove(staged)
            throw error
        }
        CrashPoint.reach("commit.settled")
    }

    private func checkGeneration(_ generation: UInt64) throws(MainKeyError) {
        guard generation > 0 else { return }
        let found = try store.load().file.generation
        guard found == generation else { throw .stale(expected: generation, found: found) }
    }

    /// Whether the key file is still the one that a change started from.
    private func isUnchanged(since generation: UInt64) -> Bool {
        do throws(MainKeyError) { return try store.load().file.generation == generation } catch {
            if case .notFound = error { return generation == 0 }
            return false
        }
    }

    /// Moves the counter that the new file is bound to: from here on the old file is refused.
    ///
    /// An error does not say that it did not move, since nobody proves who answers an error: what the counter has then
    /// does. Where that cannot be read, the new file stays, and the next opening finds out.
    private func advance(
        _ change: KeyFileChange, to file: KeyFile, orElse undo: () -> Void
    ) throws(MainKeyError) {
        try hardware.advanceOutside(to: file)
        do throws(MainKeyError) { try hardware.advance(change, to: file) } catch {
            guard case .tpm(_, let next) = file.anchor, let now = (try? hardware.anchorValue(of: file)) ?? nil else {
                throw error
            }
            if now == next { return }
            guard now == next &- 1 else { throw error }
            try? store.directory.files.remove(Name.stagedKeyFile)
            undo()
            throw error
        }
    }

    /// The next opening does what fails.
    private func finish(_ change: ItemChange) {
        do throws(MainKeyError) { try items.finish(change) } catch {
            hub.post(.hardwareLeftover("items: \(error)"))
        }
    }

    // MARK: Changes of an unlocked vault

    /// Changes the settings or epochs of an unlocked vault, and takes the result over.
    func change(_ body: (inout KeyFile, MainKeySecrets) throws(MainKeyError) -> Void) throws(MainKeyError) {
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let unlocked = try memory.unlocked().keys
        let file = try store.load(under: unlocked.secrets).file
        var change = KeyFileChange(file: file, secrets: unlocked.secrets)
        try body(&change.file, unlocked.secrets)
        try hardware.resealIfStrict(&change, unlocked)
        try memory.adopt(try commit(change, from: file.generation), unlocked)
    }

    /// Changes items: killed at any moment, the vault has the old ones or the new ones.
    ///
    /// - Parameter body: given the key file and the list as they are, makes items ready and changes the list.
    func changeItems(
        _ body: (KeyFile, UnlockedKeys, inout ItemChange) throws(MainKeyError) -> Void
    ) throws(MainKeyError) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let (file, unlocked) = try refreshed()
        var items = ItemChange(list: try self.items.changeableList(of: file))
        var change = KeyFileChange(file: file, secrets: unlocked.secrets)
        do throws(MainKeyError) {
            try body(file, unlocked, &items)
            if items.staged.isEmpty, items.removed.isEmpty { return }
            change.items = items
            try hardware.resealIfStrict(&change, unlocked)
        } catch {
            try? self.items.files.discardStaged(items.staged)
            throw error
        }
        CrashPoint.reach("items.staged")
        try memory.adopt(try commit(change, from: file.generation), unlocked)
    }

    /// Takes the items as they are now for those that were written last: a person says that they are, who restored some
    /// of them.
    ///
    /// Encrypted files stay listed as they are where the list is the one that the key file names; what another one says
    /// of them nobody vouches for.
    ///
    /// - Returns: how many there are, and whether files are still listed that were.
    func acceptItems() throws(MainKeyError) -> (count: Int, keepsFiles: Bool) {
        memory.turns.lock()
        defer { memory.turns.unlock() }
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        let (file, unlocked) = try refreshed()
        var change = KeyFileChange(file: file, secrets: unlocked.secrets)
        var list = try items.files.listed()
        let named = file.itemRoot == nil ? ItemList() : try? items.current(of: file)?.list
        list.files = named?.files ?? FileList()
        change.items = ItemChange(list: list)
        try hardware.resealIfStrict(&change, unlocked)
        try memory.adopt(try commit(change, from: file.generation), unlocked)
        return (list.count, named != nil)
    }

    /// What is in memory, after what other processes committed was taken over. The caller holds the exclusive lock.
    func refreshed() throws(MainKeyError) -> (file: KeyFile, keys: UnlockedKeys) {
        // What a process that died made ready may be all there is of an item.
        if try store.hasLeftovers() { try store.recover(telling: hub) }
        let (known, unlocked) = try memory.unlocked()
        let file = try store.load(under: unlocked.secrets).file
        guard file.generation >= known.generation else {
            throw .rolledBack(reason: "the key file is older than the one that is in use")
        }
        if file.generation > known.generation { try memory.adopt(file, unlocked) }
        return (file, unlocked)
    }

    // MARK: Items that go with a protection

    /// Removes what is kept only under a PIN or hardware from a vault that has neither any more. A list that is not the
    /// one that is named stays so.
    func removeGuardedItems(in change: inout KeyFileChange) throws(MainKeyError) {
        guard !change.file.isProtected else { return }
        let guarded = try items.files.numbers(access: .whenPasscodeSetThisDeviceOnly)
        guard !guarded.isEmpty, var list = try? items.changeableList(of: change.file) else { return }
        for number in guarded { list.remove(number) }
        change.items = ItemChange(list: list, removed: guarded)
    }

    /// Removes the keys of ways without protection that the vault has no more: whoever finds one and an old key file
    /// opens it.
    ///
    /// The caller holds the exclusive lock.
    func removeForgottenItems(of file: KeyFile) {
        let named = Set(file.slots(of: .none).map { NoneProtection.label(slot: $0.id) })
        removeItems { $0.label.spelling(behind: NoneProtection.prefix) != nil && !named.contains($0.label) }
    }

    /// Finishes what a commit that was killed behind its last step left of the ways before it.
    func removeForgottenItems() {
        let slots = memory.file.slots(of: .none)
        // The usual case, in which nobody has to wait.
        guard (try? items.files.labels(access: .always).count) != slots.count,
            let lock = try? store.lock(.exclusive)
        else { return }
        defer { withExtendedLifetime(lock) {} }
        guard (try? store.hasLeftovers()) == false, let file = try? store.load().file else { return }
        removeForgottenItems(of: file)
    }

    /// Removes items, and tells what could not be removed.
    func removeItems(where isUnwanted: (KeyItem) -> Bool) {
        do throws(MainKeyError) {
            for failure in try items.files.remove(where: isUnwanted) { hub.post(.hardwareLeftover("\(failure)")) }
        } catch {
            hub.post(.hardwareLeftover("key items: \(error)"))
        }
    }
}
