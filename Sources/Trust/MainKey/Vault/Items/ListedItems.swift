import SecretMemory

/// What a commit does to the items of a vault: their files are ready, and the list is what it will be.
struct ItemChange {
    var list: ItemList
    /// The items that take their places.
    var staged: [ItemList.Name] = []
    /// The items that go.
    var removed: [ItemList.Name] = []
}

/// The items of a vault on the disk, and the list that tells them from older ones: the key file names the digest of the
/// list, and the list that of each item's file.
struct ListedItems: Sendable {
    private typealias Name = VaultDirectory.Name

    /// Keeps this room's items apart from other applications' in the same place.
    static let service = "mainkey"

    let files: FileItemStore
    private let directory: VaultDirectory

    init(in directory: VaultDirectory) {
        self.directory = directory
        files = FileItemStore(in: directory, service: Self.service)
    }

    // MARK: The list

    /// The list that a key file names, as it lies on the disk.
    struct Current {
        var list: ItemList
        /// Whether the commit that wrote it has not ended: some items may still be beside their places.
        var isPending: Bool
    }

    /// - Returns: nil if neither the list nor the one that is made ready is the one that the key file names.
    func current(of file: KeyFile) throws(MainKeyError) -> Current? {
        guard let root = file.itemRoot else { return nil }
        for name in [Name.itemList, Name.stagedItemList] {
            let bytes = try listBytes(name)
            guard let list = try parsed(bytes, of: file.vault, ifRootIs: root, named: name) else { continue }
            return Current(list: list, isPending: name == Name.stagedItemList)
        }
        return nil
    }

    /// - Returns: nil if there is none, or none that could be a list.
    private func listBytes(_ name: String) throws(MainKeyError) -> [UInt8]? {
        do throws(MainKeyError) { return try directory.files.read(name, limit: ItemList.byteLimit) } catch {
            guard case .limitExceeded = error else { throw error }
            return nil
        }
    }

    private func parsed(
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
    func refusalOfList(_ file: KeyFile) -> MainKeyError {
        guard let bytes = (try? listBytes(Name.itemList)) ?? nil,
            (try? ItemList(parsing: bytes, of: file.vault)) != nil
        else { return .tampered(reason: Name.itemList + MainKeyError.Situation.itemListLost.rawValue) }
        return .rolledBack(
            reason:
                "\(Name.itemList) is not the list that the key file names: one of both was put back; "
                + MainKeyError.Situation.itemsPutBack.rawValue)
    }

    /// The list of a key file, to be changed. The caller holds the exclusive lock.
    func changeableList(of file: KeyFile) throws(MainKeyError) -> ItemList {
        guard file.itemRoot != nil else { return try files.listed() }
        guard var list = try current(of: file)?.list else { throw refusalOfList(file) }
        // Somebody without the key removed them, who must not be able to put them back for ever.
        if !file.isAnchoredStrictly { list.keep(only: try files.numbers()) }
        return list
    }

    // MARK: Reading

    enum Finding {
        /// The item as the list has it; nil where the list has none.
        case item(KeyItem?)
        case missing
        /// An item that is another than the listed one.
        case other(KeyItem)
        case unlisted(KeyItem)
        case noList
    }

    func look(for label: String, of file: KeyFile) throws(MainKeyError) -> Finding {
        guard file.itemRoot != nil else { return .item(try files.item(label)) }
        guard let current = try current(of: file) else { return .noList }
        guard let listed = current.list[files.number(label)] else {
            // What a commit has removed may still be there until that has ended.
            guard !current.isPending, let found = try files.stored(label) else { return .item(nil) }
            return .unlisted(found.item)
        }
        let found = try files.stored(label)
        if let found, found.digest == listed { return .item(found.item) }
        if let staged = try? files.stored(label, isStaged: true), staged.digest == listed { return .item(staged.item) }
        return found.map { .other($0.item) } ?? .missing
    }

    // MARK: Commits and crashes

    /// Makes the list ready that a new key file names.
    func stage(_ items: ItemChange, in file: inout KeyFile) throws(MainKeyError) {
        // Whatever the key file names has to be there with it, and it lies in another folder.
        if !items.staged.isEmpty { try files.synchroniseStaged() }
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
        try? files.discardStaged(items.staged)
        try? directory.files.remove(Name.stagedItemList)
    }

    /// Gives items and list their places behind a commit. What fails is done by the next opening, and until then what
    /// was made ready is read where it lies.
    func finish(_ change: ItemChange) throws(MainKeyError) {
        for number in change.staged { try files.promote(number) }
        CrashPoint.reach("items.promoted")
        for number in change.removed { try files.delete(number) }
        CrashPoint.reach("items.removed")
        try directory.files.promote(Name.stagedItemList, to: Name.itemList)
    }

    /// Ends or takes back what a commit of items that was killed has begun. The caller holds the exclusive lock, and it
    /// is settled which key file counts.
    func settle() throws(MainKeyError) {
        guard try isListStaged(), let file = try FoundKeyFile(Name.keyFile, in: directory).file else { return }
        guard let current = try current(of: file) else {
            // A vault that had no list yet. Where none is the one that is named, nothing is removed on a guess.
            if file.itemRoot == nil { try forgetStagedList() }
            return
        }
        guard current.isPending else { return try forgetStagedList() }
        try files.settle(as: current.list)
        try directory.files.promote(Name.stagedItemList, to: Name.itemList)
    }

    func isListStaged() throws(MainKeyError) -> Bool {
        do throws(MainKeyError) { return try directory.files.read(Name.stagedItemList, limit: 0) != nil } catch {
            if case .limitExceeded = error { return true }
            throw error
        }
    }

    private func forgetStagedList() throws(MainKeyError) {
        try files.discardStaged()
        try removeLists([Name.stagedItemList])
    }

    /// Removes the list and the one that is made ready.
    func removeLists() throws(MainKeyError) { try removeLists([Name.itemList, Name.stagedItemList]) }

    private func removeLists(_ names: [String]) throws(MainKeyError) {
        for name in names { try directory.files.remove(name) }
    }
}
