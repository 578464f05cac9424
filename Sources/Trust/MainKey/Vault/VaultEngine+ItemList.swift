import SecretMemory

/// What a commit does to the items of a vault: their files are ready, and the list is what it will be.
struct ItemChange {
    var list: ItemList
    /// The items that take their places.
    var staged: [ItemList.Name] = []
    /// The items that go.
    var removed: [ItemList.Name] = []
}

/// How items are kept fresh: the key file names the digest of their list, and the list that of each item's file.
extension VaultEngine {
    /// The list that a key file names, as it lies on the disk.
    struct CurrentItems {
        var list: ItemList
        /// Whether the commit that wrote it has not ended: some items may still be beside their places.
        var isPending: Bool
    }

    /// - Returns: nil if neither the list nor the one that is made ready is the one that the key file names.
    static func currentItems(
        of file: KeyFile, in directory: VaultDirectory
    ) throws(MainKeyError) -> CurrentItems? {
        guard let root = file.itemRoot else { return nil }
        for name in [Name.itemList, Name.stagedItemList] {
            let bytes = try listBytes(name, in: directory)
            guard let list = try parsed(bytes, of: file.vault, ifRootIs: root, named: name) else { continue }
            return CurrentItems(list: list, isPending: name == Name.stagedItemList)
        }
        return nil
    }

    /// - Returns: nil if there is none, or none that could be a list.
    private static func listBytes(_ name: String, in directory: VaultDirectory) throws(MainKeyError) -> [UInt8]? {
        do throws(MainKeyError) { return try directory.files.read(name, limit: ItemList.byteLimit) } catch {
            guard case .limitExceeded = error else { throw error }
            return nil
        }
    }

    private static func parsed(
        _ bytes: [UInt8]?, of vault: VaultID, ifRootIs root: [UInt8], named name: String
    ) throws(MainKeyError) -> ItemList? {
        guard let bytes else {
            // A vault without items has no list.
            let empty = ItemList()
            return name == Name.itemList && ItemList.root(of: empty.bytes(of: vault)) == root ? empty : nil
        }
        return ItemList.root(of: bytes) == root ? try ItemList(parsing: bytes, of: vault) : nil
    }

    /// Why items cannot be told from older ones.
    private func refusalOfList(_ file: KeyFile) -> MainKeyError {
        let remedy = "to take the items as they are now: mainkey repair --accept-items"
        guard let bytes = (try? Self.listBytes(Name.itemList, in: directory)) ?? nil,
            (try? ItemList(parsing: bytes, of: file.vault)) != nil
        else { return .tampered(reason: "\(Name.itemList) is missing or damaged, which lists the items; \(remedy)") }
        return .rolledBack(
            reason: "\(Name.itemList) is not the list that the key file names: one of both was put back; \(remedy)")
    }

    // MARK: Reading

    /// An item as it was written last.
    ///
    /// - Parameter file: the key file in memory. Where the disk differs, it is read again.
    /// - Returns: nil if there is none.
    /// - Throws: `rolledBack` for one that was put back, also after it was removed; `tampered` where the list or, with
    ///   a strict anchor, an item is missing.
    func freshItem(_ label: String, of file: KeyFile) throws(MainKeyError) -> KeyItem? {
        // The usual case, in which nobody has to wait.
        if case .item(let item)? = try? look(for: label, of: file) { return item }
        refresh()
        let (_, unlocked) = try self.unlocked()
        let lock = try HeldLock(
            .shared, of: directory, patience: options.lockTimeout, makesFile: !changesNothing)
        defer { withExtendedLifetime(lock) {} }
        let now = try current(unlocked).file
        return try lockedItem(label, of: now, unlocked)
    }

    /// The same for a caller that holds the lock, with the key file that is on the disk.
    func lockedItem(_ label: String, of file: KeyFile, _ unlocked: Unlocked) throws(MainKeyError) -> KeyItem? {
        switch try look(for: label, of: file) {
        case .item(let item): return item
        case .noList: throw refusalOfList(file)
        case .missing:
            guard file.isAnchoredStrictly else { return nil }
            throw .tampered(reason: "the item '\(label)' is missing. Set it anew, or remove it")
        case .other(let item):
            // What does not open is no older one.
            try open(item, unlocked)
            throw .rolledBack(
                reason:
                    "the item '\(label)' is not the one that was written last; one that you restored yourself is taken "
                    + "as it is by mainkey repair --accept-items")
        case .unlisted(let item):
            try open(item, unlocked)
            throw .rolledBack(reason: "the item '\(label)' was removed, and put back")
        }
    }

    private func open(_ item: KeyItem, _ unlocked: Unlocked) throws(MainKeyError) {
        guard item.access != .always else {
            throw .tampered(reason: "the item '\(item.label)' lies there in the clear")
        }
        _ = try unlocked.keys.openSecret(item.sealedBytes, purpose(of: item.label))
    }

    private enum Finding {
        /// The item as the list has it; nil where the list has none.
        case item(KeyItem?)
        case missing
        /// An item that is another than the listed one.
        case other(KeyItem)
        case unlisted(KeyItem)
        case noList
    }

    private func look(for label: String, of file: KeyFile) throws(MainKeyError) -> Finding {
        guard file.itemRoot != nil else { return .item(try items.item(label)) }
        guard let current = try Self.currentItems(of: file, in: directory) else { return .noList }
        guard let listed = current.list[items.number(label)] else {
            // What a commit has removed may still be there until that has ended.
            guard !current.isPending, let found = try items.stored(label) else { return .item(nil) }
            return .unlisted(found.item)
        }
        let found = try items.stored(label)
        if let found, found.digest == listed { return .item(found.item) }
        if let staged = try? items.stored(label, isStaged: true), staged.digest == listed { return .item(staged.item) }
        return found.map { .other($0.item) } ?? .missing
    }

    /// Compares all items with their list.
    ///
    /// - Returns: how many of those that are listed are missing: whoever has no key may remove one.
    /// - Throws: as ``freshItem(_:of:)``, for the first that is not as it was written last.
    package func checkItems() throws(MainKeyError) -> Int {
        let (_, unlocked) = try unlocked()
        let lock = try HeldLock(
            .shared, of: directory, patience: options.lockTimeout, makesFile: !changesNothing)
        defer { withExtendedLifetime(lock) {} }
        let file = try current(unlocked).file
        for label in try sealedLabels() { _ = try lockedItem(label, of: file, unlocked) }
        guard file.itemRoot != nil else { return 0 }
        guard let found = try Self.currentItems(of: file, in: directory) else { throw refusalOfList(file) }
        let missing = found.isPending ? 0 : found.list.names.subtracting(try items.numbers()).count
        guard missing == 0 || !file.isAnchoredStrictly else {
            throw .tampered(reason: "\(missing) items are missing that the list names")
        }
        return missing
    }

    // MARK: Changing

    /// Changes items: killed at any moment, the vault has the old ones or the new ones.
    ///
    /// - Parameter body: given the key file and the list as they are, makes items ready and changes the list.
    func changeItems(
        _ body: (KeyFile, Unlocked, inout ItemChange) throws(MainKeyError) -> Void
    ) throws(MainKeyError) {
        try exclusively { () throws(MainKeyError) in
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            // What a process that died made ready may be all there is of an item.
            if try Self.hasLeftovers(directory) { try Self.recover(directory, path: path, options) }
            let (file, unlocked) = try refreshed()
            var items = ItemChange(list: try list(of: file))
            var change = KeyFileChange(file: file, secrets: unlocked.secrets)
            do throws(MainKeyError) {
                try body(file, unlocked, &items)
                if items.staged.isEmpty, items.removed.isEmpty { return }
                change.items = items
                try resealIfStrict(&change, unlocked)
            } catch {
                try? self.items.discardStaged(items.staged)
                throw error
            }
            CrashPoint.reach("items.staged")
            try adopt(try commit(change, from: file.generation), unlocked)
        }
    }

    /// The list of a key file, to be changed. The caller holds the exclusive lock.
    private func list(of file: KeyFile) throws(MainKeyError) -> ItemList {
        guard file.itemRoot != nil else { return try items.listed() }
        guard var list = try Self.currentItems(of: file, in: directory)?.list else { throw refusalOfList(file) }
        // Somebody without the key removed them, who must not be able to put them back for ever.
        if !file.isAnchoredStrictly { list.keep(only: try items.numbers()) }
        return list
    }

    /// Takes the items as they are now for those that were written last: a person says that they are, who restored some
    /// of them.
    ///
    /// - Returns: how many there are.
    /// - Throws: as a change of the vault.
    package func acceptItems() throws(MainKeyError) -> Int {
        try exclusively { () throws(MainKeyError) in
            let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
            defer { withExtendedLifetime(lock) {} }
            if try Self.hasLeftovers(directory) { try Self.recover(directory, path: path, options) }
            let (file, unlocked) = try refreshed()
            var change = KeyFileChange(file: file, secrets: unlocked.secrets)
            let list = try items.listed()
            change.items = ItemChange(list: list)
            try resealIfStrict(&change, unlocked)
            try adopt(try commit(change, from: file.generation), unlocked)
            return list.count
        }
    }

    /// Removes what is kept only under a PIN or hardware from a vault that has neither any more. A list that is not the
    /// one that is named stays so.
    func removeGuardedItems(in change: inout KeyFileChange) throws(MainKeyError) {
        guard !change.file.isProtected else { return }
        let guarded = try items.numbers(access: .whenPasscodeSetThisDeviceOnly)
        guard !guarded.isEmpty, var list = try? list(of: change.file) else { return }
        for number in guarded { list.remove(number) }
        change.items = ItemChange(list: list, removed: guarded)
    }

    // MARK: Commits and crashes

    /// Makes the list ready that a new key file names.
    func stage(_ items: ItemChange, in file: inout KeyFile) throws(MainKeyError) {
        let bytes = items.list.bytes(of: file.vault)
        file.itemRoot = ItemList.root(of: bytes)
        try bytes.withRawBytes { (bytes) throws(MainKeyError) in
            try directory.files.stage(bytes, as: Name.stagedItemList)
        }
        CrashPoint.reach("items.listed")
    }

    /// Takes back what was made ready for a commit that cannot become final.
    func discard(_ items: ItemChange?) {
        guard let items else { return }
        try? self.items.discardStaged(items.staged)
        try? directory.files.remove(Name.stagedItemList)
    }

    /// Gives items and list their places behind a commit. What fails is done by the next opening, and until then what
    /// was made ready is read where it lies.
    func finish(_ change: ItemChange) {
        do throws(MainKeyError) {
            for number in change.staged { try items.promote(number) }
            CrashPoint.reach("items.promoted")
            for number in change.removed { try items.delete(number) }
            CrashPoint.reach("items.removed")
            try directory.files.promote(Name.stagedItemList, to: Name.itemList)
        } catch {
            hub.post(.hardwareLeftover("items: \(error)"))
        }
    }

    /// Ends or takes back what a commit of items that was killed has begun. The caller holds the exclusive lock, and it
    /// is settled which key file counts.
    static func settleItems(_ directory: VaultDirectory) throws(MainKeyError) {
        guard try isListStaged(directory), let file = try FoundKeyFile(Name.keyFile, in: directory).file else {
            return
        }
        let items = FileItemStore(in: directory, service: itemService)
        guard let current = try currentItems(of: file, in: directory) else {
            // A vault that had no list yet. Where none is the one that is named, nothing is removed on a guess.
            if file.itemRoot == nil { try forgetStagedList(directory, items) }
            return
        }
        guard current.isPending else { return try forgetStagedList(directory, items) }
        try items.settle(as: current.list)
        try directory.files.promote(Name.stagedItemList, to: Name.itemList)
    }

    static func isListStaged(_ directory: VaultDirectory) throws(MainKeyError) -> Bool {
        do throws(MainKeyError) { return try directory.files.read(Name.stagedItemList, limit: 0) != nil } catch {
            if case .limitExceeded = error { return true }
            throw error
        }
    }

    private static func forgetStagedList(
        _ directory: VaultDirectory, _ items: FileItemStore
    ) throws(MainKeyError) {
        try items.discardStaged()
        try directory.files.remove(Name.stagedItemList)
    }
}
