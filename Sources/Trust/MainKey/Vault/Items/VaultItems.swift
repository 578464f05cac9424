import SecretMemory

/// The items and tokens of a vault: small secrets under a label, sealed, and kept fresh by the list that the key file
/// names.
struct VaultItems: Sendable {
    static let tokenPrefix = "token/"

    let store: VaultStore
    let memory: VaultMemory
    let commits: VaultCommits
    let diskChanges: DiskChanges
    let cache: ItemCache

    private var items: ListedItems { store.items }

    /// An item or token: its label in the store, and what it is sealed for.
    struct Kind {
        let label: String
        let purpose: SealedPurpose

        static func token(_ name: String) -> Kind { Kind(label: tokenPrefix + name, purpose: .token(name)) }

        /// - Throws: `configError` for a label that items of applications do not have.
        static func item(_ label: String) throws(MainKeyError) -> Kind {
            guard label.spelling(behind: tokenPrefix) == nil, label.spelling(behind: NoneProtection.prefix) == nil
            else {
                throw .configError(
                    reason: "labels beginning with '\(tokenPrefix)' or '\(NoneProtection.prefix)' are taken")
            }
            return Kind(label: label, purpose: .item(label))
        }

        /// The item or token that is stored under a label.
        static func stored(_ label: String) -> Kind {
            label.spelling(behind: tokenPrefix).map(token) ?? Kind(label: label, purpose: .item(label))
        }
    }

    // MARK: Labels

    /// The labels of all items, sorted; needs no key.
    func labels() throws(MainKeyError) -> [String] {
        try sealedLabels().filter { $0.spelling(behind: Self.tokenPrefix) == nil }
    }

    /// The names of all tokens, sorted; needs no key.
    func tokenNames() throws(MainKeyError) -> [String] {
        try items.files.labels().compactMap { $0.spelling(behind: Self.tokenPrefix) }
    }

    /// The labels of all items and tokens, sorted.
    func sealedLabels() throws(MainKeyError) -> [String] {
        try items.files.labels().filter { $0.spelling(behind: NoneProtection.prefix) == nil }
    }

    // MARK: Storing

    func set(_ kind: Kind, to value: SecretBytes, _ access: Accessibility) throws(MainKeyError) {
        guard access != .always else {
            throw .configError(reason: "only the key of a vault without protection is stored in the clear")
        }
        _ = try memory.used()
        // A rotation of another process forgets keys under the same lock.
        try commits.changeItems { (file, unlocked, change) throws(MainKeyError) in
            if access == .whenPasscodeSetThisDeviceOnly, !file.isProtected {
                throw .configError(reason: "this item needs a vault with a PIN or hardware")
            }
            try stage(
                kind.label, sealed: try unlocked.keys.seal(secret: value, kind.purpose), access: access, in: &change)
        }
        if access == .afterFirstUnlockThisDeviceOnly {
            cache.put(kind.label, value)
        } else {
            cache.remove(kind.label)
        }
    }

    /// Makes a sealed item ready for a commit.
    private func stage(
        _ label: String, sealed: [UInt8], access: Accessibility, in change: inout ItemChange
    ) throws(MainKeyError) {
        let number = items.files.number(label)
        change.staged.append(number)
        let digest = try items.files.stage(label, try secret { try SecretBytes(copying: sealed) }, access: access)
        try change.list.list(number, digest: digest)
    }

    /// An unlocked vault takes note of it. Of a locked one, which has no strict anchor, the item goes all the same:
    /// whoever can remove a file needs no key for that, and what the list says of it then is that it is missing.
    func remove(_ label: String) throws(MainKeyError) {
        cache.remove(label)
        guard (try? memory.unlocked()) == nil, !memory.file.isAnchoredStrictly else {
            return try commits.changeItems { (_, _, change) throws(MainKeyError) in
                let number = items.files.number(label)
                let onDisk = try items.files.numbers()
                guard change.list[number] != nil || onDisk.contains(number) else { return }
                change.removed.append(number)
                change.list.remove(number)
            }
        }
        let lock = try store.lock(.exclusive)
        defer { withExtendedLifetime(lock) {} }
        try items.files.delete(label)
    }

    // MARK: Reading

    /// - Returns: nil if there is none of this label.
    /// - Throws: `locked`, unless the item may be read after the first unlock and there was one.
    func value(of kind: Kind) throws(MainKeyError) -> SecretBytes? {
        let file: KeyFile
        do throws(MainKeyError) { file = try memory.used().file } catch {
            return try openedBefore(kind.label, insteadOf: error)
        }
        do throws(MainKeyError) {
            guard let item = try freshItem(kind.label, of: file) else { return nil }
            try item.checkSealed()
            let value = try memory.unlocked().keys.keys.openSecret(item.sealedBytes, kind.purpose)
            if item.access == .afterFirstUnlockThisDeviceOnly, !store.changesNothing { cache.put(kind.label, value) }
            return value
        } catch {
            guard case .locked = error else { throw error }
            return try openedBefore(kind.label, insteadOf: error)
        }
    }

    /// What is said of an item without the key: that there is none, or what it was when the vault was unlocked.
    private func openedBefore(
        _ label: String, insteadOf error: MainKeyError
    ) throws(MainKeyError) -> SecretBytes? {
        guard let item = try items.files.item(label) else { return nil }
        guard case .locked = error, item.access == .afterFirstUnlockThisDeviceOnly, let cached = cache.value(label)
        else { throw error }
        return cached
    }

    /// An item as it was written last.
    ///
    /// - Parameter file: the key file in memory. Where the disk differs, it is read again.
    /// - Returns: nil if there is none.
    /// - Throws: `rolledBack` for one that was put back, also after it was removed; `tampered` where the list or, with
    ///   a strict anchor, an item is missing.
    private func freshItem(_ label: String, of file: KeyFile) throws(MainKeyError) -> KeyItem? {
        // The usual case, in which nobody has to wait.
        if case .item(let item)? = try? items.look(for: label, of: file) { return item }
        diskChanges.refresh()
        let unlocked = try memory.unlocked().keys
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        return try lockedItem(label, of: try store.load(under: unlocked.secrets).file, unlocked)
    }

    /// The same for a caller that holds the lock, with the key file that is on the disk.
    private func lockedItem(
        _ label: String, of file: KeyFile, _ unlocked: UnlockedKeys
    ) throws(MainKeyError) -> KeyItem? {
        switch try items.look(for: label, of: file) {
        case .item(let item): return item
        case .noList: throw items.refusalOfList(file)
        case .missing:
            guard file.isAnchoredStrictly else { return nil }
            throw .tampered(reason: "the item '\(label)' is missing. Set it anew, or remove it")
        case .other(let item):
            // What does not open is no older one.
            try open(item, unlocked)
            throw .rolledBack(
                reason:
                    "the item '\(label)' is not the one that was written last; "
                    + MainKeyError.Situation.itemsPutBack.rawValue)
        case .unlisted(let item):
            try open(item, unlocked)
            throw .rolledBack(reason: "the item '\(label)' was removed, and put back")
        }
    }

    private func open(_ item: KeyItem, _ unlocked: UnlockedKeys) throws(MainKeyError) {
        try item.checkSealed()
        _ = try unlocked.keys.openSecret(item.sealedBytes, Kind.stored(item.label).purpose)
    }

    /// Compares all items with their list.
    ///
    /// - Returns: how many of those that are listed are missing: whoever has no key may remove one.
    /// - Throws: as ``value(of:)``, for the first that is not as it was written last.
    func check() throws(MainKeyError) -> Int {
        let unlocked = try memory.unlocked().keys
        let lock = try store.lockForReading()
        defer { withExtendedLifetime(lock) {} }
        let file = try store.load(under: unlocked.secrets).file
        for label in try sealedLabels() { _ = try lockedItem(label, of: file, unlocked) }
        guard file.itemRoot != nil else { return 0 }
        guard let found = try items.current(of: file) else { throw items.refusalOfList(file) }
        let missing = found.isPending ? 0 : found.list.names.subtracting(try items.files.numbers()).count
        guard missing == 0 || !file.isAnchoredStrictly else {
            throw .tampered(reason: "\(missing) items are missing that the list names")
        }
        return missing
    }

    // MARK: Rotation

    /// How many items and tokens there are, and how many of them are not of this epoch.
    func count(active epoch: UInt32) throws(MainKeyError) -> (total: Int, old: Int) {
        var (total, old) = (0, 0)
        for label in try items.files.labels() {
            guard let item = try items.files.item(label), item.access != .always else { continue }
            total += 1
            if try SealedValue.epoch(of: item.sealedBytes) != epoch { old += 1 }
        }
        return (total, old)
    }

    /// Seals those of some items anew that are not of the active epoch, as they are now and in one commit: what another
    /// process stores or removes meanwhile is neither undone nor brought back, and an item that was put back is not
    /// made a new one.
    ///
    /// - Returns: how many they were.
    fileprivate func reseal(_ labels: [String]) throws(MainKeyError) -> Int {
        var count = 0
        try commits.changeItems { (file, unlocked, change) throws(MainKeyError) in
            for label in labels {
                guard let item = try lockedItem(label, of: file, unlocked), item.access != .always,
                    try SealedValue.epoch(of: item.sealedBytes) != file.activeEpoch
                else { continue }
                let purpose = Kind.stored(label).purpose
                let value = try unlocked.keys.openSecret(item.sealedBytes, purpose)
                try stage(
                    label, sealed: try unlocked.keys.seal(secret: value, purpose), access: item.access, in: &change)
                count += 1
            }
        }
        return count
    }
}

extension KeyItem {
    /// What a sealed item holds.
    fileprivate var sealedBytes: [UInt8] { payload.withUnsafeBytes { Array($0) } }

    fileprivate func checkSealed() throws(MainKeyError) {
        guard access != .always else { throw .tampered(reason: "the item '\(label)' lies there in the clear") }
    }
}

/// The vault's own items and tokens, in a rotation.
struct ItemRotation: RotationPlace {
    let items: VaultItems

    var title: String { "items and tokens" }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) { try items.count(active: epoch) }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let labels = try items.sealedLabels()
        // One commit for all of them where each moves an anchor, which takes time and wears the hardware; else others
        // need not wait.
        let isOneCommit = items.memory.file.isAnchoredStrictly
        for labels in isOneCommit ? [labels] : labels.map({ [$0] }) {
            let count = try items.reseal(labels)
            if count > 0 { try done(count) }
        }
    }
}
