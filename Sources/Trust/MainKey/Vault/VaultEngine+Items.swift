import Foundation
import SecretMemory
import Synchronization

extension VaultEngine {
    /// Keeps this room's items apart from other applications' in the same place.
    static let itemService = "mainkey"
    static let tokenPrefix = "token/"

    /// Stores a small secret under a label, as a keychain would.
    ///
    /// - Parameter access: when it may be read; `always` is refused.
    package func setItem(
        _ label: String, _ value: SecretBytes, access: Accessibility = .whenUnlockedThisDeviceOnly
    ) throws(MainKeyError) {
        guard !label.hasPrefix(Self.tokenPrefix), !label.hasPrefix(NoneProtection.prefix) else {
            throw .configError(
                reason: "labels beginning with '\(Self.tokenPrefix)' or '\(NoneProtection.prefix)' are taken")
        }
        try store(label, value, .item(label), access)
    }

    /// A stored item.
    ///
    /// - Returns: nil if there is none of this label.
    /// - Throws: `locked`, unless the item may be read after the first unlock and there was one.
    package func item(_ label: String) throws(MainKeyError) -> SecretBytes? { try open(label, .item(label)) }

    package func removeItem(_ label: String) throws(MainKeyError) { try remove(label) }

    /// The labels of all items, sorted; needs no key.
    package func itemLabels() throws(MainKeyError) -> [String] {
        try items.labels().filter { !$0.hasPrefix(Self.tokenPrefix) && !$0.hasPrefix(NoneProtection.prefix) }
    }

    /// Stores an access or refresh token.
    package func setToken(_ name: String, _ value: SecretBytes) throws(MainKeyError) {
        try store(Self.tokenPrefix + name, value, .token(name), .whenUnlockedThisDeviceOnly)
    }

    package func token(_ name: String) throws(MainKeyError) -> SecretBytes? {
        try open(Self.tokenPrefix + name, .token(name))
    }

    package func removeToken(_ name: String) throws(MainKeyError) { try remove(Self.tokenPrefix + name) }

    package func tokenNames() throws(MainKeyError) -> [String] {
        try items.labels().filter { $0.hasPrefix(Self.tokenPrefix) }.map {
            String($0.dropFirst(Self.tokenPrefix.count))
        }
    }

    /// All items and tokens, as a rotation covers them.
    package var itemRotation: any RotationPlace { ItemRotation(engine: self) }

    // MARK: Storing

    private func store(
        _ label: String, _ value: SecretBytes, _ purpose: SealedPurpose, _ access: Accessibility
    ) throws(MainKeyError) {
        guard access != .always else {
            throw .configError(reason: "only the key of a vault without protection is stored in the clear")
        }
        _ = try usable()
        // A rotation of another process forgets keys under the same lock.
        try changeItems { (file, unlocked, change) throws(MainKeyError) in
            if access == .whenPasscodeSetThisDeviceOnly, !file.isProtected {
                throw .configError(reason: "this item needs a vault with a PIN or hardware")
            }
            try stage(label, try unlocked.keys.seal(value, purpose), access, &change)
        }
        if access == .afterFirstUnlockThisDeviceOnly { itemCache.put(label, value) } else { itemCache.remove(label) }
    }

    /// Makes a sealed item ready for a commit.
    private func stage(
        _ label: String, _ sealed: [UInt8], _ access: Accessibility, _ change: inout ItemChange
    ) throws(MainKeyError) {
        let number = items.number(label)
        change.staged.append(number)
        let digest = try items.stage(label, try secret { try SecretBytes(copying: sealed) }, access: access)
        try change.list.list(number, digest: digest)
    }

    private func open(_ label: String, _ purpose: SealedPurpose) throws(MainKeyError) -> SecretBytes? {
        let file: KeyFile
        do throws(MainKeyError) { file = try usable().0 } catch { return try openedBefore(label, insteadOf: error) }
        do throws(MainKeyError) {
            guard let item = try freshItem(label, of: file) else { return nil }
            guard item.access != .always else { throw .tampered(reason: "the item '\(label)' lies there in the clear") }
            let value = try unlocked().1.keys.openSecret(item.sealedBytes, purpose)
            if item.access == .afterFirstUnlockThisDeviceOnly, !changesNothing { itemCache.put(label, value) }
            return value
        } catch {
            guard case .locked = error else { throw error }
            return try openedBefore(label, insteadOf: error)
        }
    }

    /// What is said of an item without the key: that there is none, or what it was when the vault was unlocked.
    private func openedBefore(
        _ label: String, insteadOf error: MainKeyError
    ) throws(MainKeyError) -> SecretBytes? {
        guard let item = try items.item(label) else { return nil }
        guard case .locked = error, item.access == .afterFirstUnlockThisDeviceOnly,
            let cached = itemCache.value(label)
        else { throw error }
        return cached
    }

    /// An unlocked vault takes note of it. Of a locked one, which has no strict anchor, the item goes all the same:
    /// whoever can remove a file needs no key for that, and what the list says of it then is that it is missing.
    private func remove(_ label: String) throws(MainKeyError) {
        itemCache.remove(label)
        guard (try? unlocked()) == nil, !state.withLock({ $0.file.isAnchoredStrictly }) else {
            return try changeItems { (_, _, change) throws(MainKeyError) in
                let number = items.number(label)
                let onDisk = try items.numbers()
                guard change.list[number] != nil || onDisk.contains(number) else { return }
                change.removed.append(number)
                change.list.remove(number)
            }
        }
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        try items.delete(label)
    }

    /// What is in memory, after what other processes committed was taken over. The caller holds the exclusive lock.
    func refreshed() throws(MainKeyError) -> (KeyFile, Unlocked) {
        let (known, unlocked) = try unlocked()
        let file = try current(unlocked).file
        guard file.generation >= known.generation else {
            throw .rolledBack(reason: "the key file is older than the one that is in use")
        }
        if file.generation > known.generation { try adopt(file, unlocked) }
        return (file, unlocked)
    }

    /// The unlocked vault, after the rules of locking had their say.
    private func usable() throws(MainKeyError) -> (KeyFile, Unlocked) {
        note(.access)
        return try unlocked()
    }

    func purpose(of label: String) -> SealedPurpose {
        label.hasPrefix(Self.tokenPrefix) ? .token(String(label.dropFirst(Self.tokenPrefix.count))) : .item(label)
    }

    // MARK: Rotation

    /// How many items and tokens there are, and how many of them are not of this epoch.
    func countItems(active epoch: UInt32) throws(MainKeyError) -> (total: Int, old: Int) {
        var (total, old) = (0, 0)
        for label in try items.labels() {
            guard let item = try items.item(label), item.access != .always else { continue }
            total += 1
            if try SealedValue.epoch(of: item.sealedBytes) != epoch { old += 1 }
        }
        return (total, old)
    }

    /// The labels of all items and tokens, sorted.
    func sealedLabels() throws(MainKeyError) -> [String] {
        try items.labels().filter { !$0.hasPrefix(NoneProtection.prefix) }
    }

    /// Seals those of some items anew that are not of the active epoch, as they are now and in one commit: what another
    /// process stores or removes meanwhile is neither undone nor brought back, and an item that was put back is not
    /// made a new one.
    ///
    /// - Returns: how many they were.
    fileprivate func resealItems(_ labels: [String]) throws(MainKeyError) -> Int {
        var count = 0
        try changeItems { (file, unlocked, change) throws(MainKeyError) in
            for label in labels {
                guard let item = try lockedItem(label, of: file, unlocked), item.access != .always,
                    try SealedValue.epoch(of: item.sealedBytes) != file.activeEpoch
                else { continue }
                let value = try unlocked.keys.openSecret(item.sealedBytes, purpose(of: label))
                try stage(label, try unlocked.keys.seal(value, purpose(of: label)), item.access, &change)
                count += 1
            }
        }
        return count
    }
}

extension KeyItem {
    /// What a sealed item holds.
    var sealedBytes: [UInt8] { payload.withUnsafeBytes { Array($0) } }
}

/// What may be read also after the vault has locked again, until logout: in the kernel's keyring of this session, or in
/// locked memory where there is none.
final class ItemCache: Sendable {
    private let keyring: KernelKeyring?
    /// The items by the bytes of their labels: two spellings of `é` are two labels.
    private let memory = Mutex<[[UInt8]: SecretBytes]>([:])

    init(vault: VaultID) {
        let hasKeyring = (try? KernelKeyring.checkAvailability()) != nil
        keyring = hasKeyring ? KernelKeyring(service: vault.description, lifetime: nil) : nil
    }

    func put(_ label: String, _ value: SecretBytes) {
        if let keyring, (try? keyring.write(label, value, access: .afterFirstUnlockThisDeviceOnly)) != nil { return }
        memory.withLock { $0[Array(label.utf8)] = value }
    }

    func value(_ label: String) -> SecretBytes? {
        if let keyring, let found = try? keyring.read(label) { return found }
        return memory.withLock { $0[Array(label.utf8)] }
    }

    func remove(_ label: String) {
        try? keyring?.delete(label)
        _ = memory.withLock { $0.removeValue(forKey: Array(label.utf8)) }
    }

    func removeAll() {
        for label in (try? keyring?.labels()) ?? [] { try? keyring?.delete(label) }
        memory.withLock { $0 = [:] }
    }
}

/// The vault's own items and tokens, in a rotation.
struct ItemRotation: RotationPlace {
    let engine: VaultEngine

    var title: String { "items and tokens" }

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) { try engine.countItems(active: epoch) }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let labels = try engine.sealedLabels()
        // One commit for all of them where each moves an anchor, which takes time and wears the hardware; else others
        // need not wait.
        let isOneCommit = engine.state.withLock { $0.file.isAnchoredStrictly }
        for labels in isOneCommit ? [labels] : labels.map({ [$0] }) {
            let count = try engine.resealItems(labels)
            if count > 0 { try done(count) }
        }
    }
}
