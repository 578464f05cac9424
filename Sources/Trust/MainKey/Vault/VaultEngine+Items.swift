import Foundation
import SecretMemory
import Synchronization

extension VaultEngine {
    /// Keeps this room's items apart from other applications' in the same place.
    static let itemService = "mainkey"
    private static let tokenPrefix = "token/"

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

    /// Labels of all items, sorted; needs no key.
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
        let (file, unlocked) = try usable()
        if access == .whenPasscodeSetThisDeviceOnly, file.slots.allSatisfy({ $0.kind == .none || $0.kind == .recovery })
        {
            throw .configError(reason: "this item needs a vault with a PIN or hardware")
        }
        let sealed = try unlocked.keys.seal(value, purpose)
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        try items.write(label, try secret { try SecretBytes(copying: sealed) }, access: access)
        if access == .afterFirstUnlockThisDeviceOnly { itemCache.put(label, value) } else { itemCache.remove(label) }
    }

    private func open(_ label: String, _ purpose: SealedPurpose) throws(MainKeyError) -> SecretBytes? {
        guard let item = try items.item(label) else { return nil }
        guard item.access != .always else { throw .tampered(reason: "the item '\(label)' lies there in the clear") }
        do throws(MainKeyError) {
            let value = try usable().1.keys.openSecret(item.payload.withUnsafeBytes { Array($0) }, purpose)
            if item.access == .afterFirstUnlockThisDeviceOnly { itemCache.put(label, value) }
            return value
        } catch {
            guard case .locked = error, item.access == .afterFirstUnlockThisDeviceOnly,
                let cached = itemCache.value(label)
            else { throw error }
            return cached
        }
    }

    private func remove(_ label: String) throws(MainKeyError) {
        let lock = try HeldLock(.exclusive, of: directory, patience: options.lockTimeout)
        defer { withExtendedLifetime(lock) {} }
        itemCache.remove(label)
        try items.delete(label)
    }

    /// Removes all items with this access.
    func removeItems(of access: Accessibility) throws(MainKeyError) {
        for label in try items.labels(access: access) { try items.delete(label) }
    }

    /// The unlocked vault, after the rules of locking had their say.
    private func usable() throws(MainKeyError) -> (KeyFile, Unlocked) {
        note(.access)
        return try unlocked()
    }

    fileprivate func purpose(of label: String) -> SealedPurpose {
        label.hasPrefix(Self.tokenPrefix) ? .token(String(label.dropFirst(Self.tokenPrefix.count))) : .item(label)
    }
}

/// What may be read also after the vault has locked again, until logout: in the kernel's keyring of this session, or in locked
/// memory where there is none.
final class ItemCache: Sendable {
    private let keyring: KernelKeyring?
    private let memory = Mutex<[String: SecretBytes]>([:])

    init(vault: VaultID) {
        let hasKeyring = (try? KernelKeyring.checkAvailability()) != nil
        keyring = hasKeyring ? KernelKeyring(service: vault.description, lifetime: nil) : nil
    }

    func put(_ label: String, _ value: SecretBytes) {
        if let keyring, (try? keyring.write(label, value, access: .afterFirstUnlockThisDeviceOnly)) != nil { return }
        memory.withLock { $0[label] = value }
    }

    func value(_ label: String) -> SecretBytes? {
        if let keyring, let found = try? keyring.read(label) { return found }
        return memory.withLock { $0[label] }
    }

    func remove(_ label: String) {
        try? keyring?.delete(label)
        _ = memory.withLock { $0.removeValue(forKey: label) }
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

    func count(active epoch: UInt32) throws -> (total: Int, old: Int) {
        let sealed = try sealedItems()
        return (sealed.count, try sealed.count { try SealedValue.epoch(of: $0.bytes) != epoch })
    }

    func reseal(in vault: borrowing UnlockedVault, done: (Int) throws -> Void) throws {
        let active = try vault.activeEpoch
        for item in try sealedItems() where try SealedValue.epoch(of: item.bytes) != active {
            let purpose = engine.purpose(of: item.label)
            let value = try vault.openSecret(item.bytes, purpose)
            let sealed = try vault.seal(secret: value, purpose)
            try engine.items.write(item.label, try SecretBytes(copying: sealed), access: item.access)
            try done(1)
        }
    }

    private func sealedItems() throws -> [(label: String, access: Accessibility, bytes: [UInt8])] {
        try engine.items.labels().compactMap { label in
            guard let item = try engine.items.item(label), item.access != .always else { return nil }
            return (label, item.access, item.payload.withUnsafeBytes { Array($0) })
        }
    }
}
