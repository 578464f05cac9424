import SecretMemory
import TextForms

/// Key items as files of this user alone, in the folder `items` of a vault: `items/<hash of service and label>.item`.
/// It keeps them from other users, and from backups that heed the marks; not from programs of the same user.
///
/// Source: `mainkey` section 19.
package final class FileItemStore: KeyItemStore {
    private static let suffix = ".item"
    private static let stagedSuffix = ".new"

    private let vault: VaultDirectory
    private let service: String

    /// - Parameters:
    ///   - vault: the folder; its folder of items is made with the first item.
    ///   - service: keeps the items of several applications apart; without zero bytes.
    package init(in vault: VaultDirectory, service: String) {
        precondition(!service.utf8.contains(0), "a zero byte ends the service in the hash")
        self.vault = vault
        self.service = service
    }

    package func read(_ label: String) throws(MainKeyError) -> SecretBytes? { try item(label)?.payload }

    /// An item with its access.
    ///
    /// - Throws: `tampered` if the file holds an item of another label; what a file that cannot be read or is damaged
    ///   gives.
    package func item(_ label: String) throws(MainKeyError) -> KeyItem? {
        guard let items = try vault.items(.existing) else { return nil }
        return try stored(label, in: fileName(label), of: items)?.item
    }

    /// An item with the digest of the file that holds it.
    struct Stored {
        let item: KeyItem
        let digest: [UInt8]
    }

    /// - Parameter isStaged: looks at what a commit has made ready, instead of what is there.
    func stored(_ label: String, isStaged: Bool = false) throws(MainKeyError) -> Stored? {
        guard let items = try vault.items(.existing) else { return nil }
        return try stored(label, in: fileName(label) + (isStaged ? Self.stagedSuffix : ""), of: items)
    }

    private func stored(
        _ label: String, in name: String, of items: PrivateDirectory
    ) throws(MainKeyError) -> Stored? {
        guard let file = try items.readSecret(name, limit: KeyItem.mostBytes) else { return nil }
        let item = try KeyItem(file)
        guard item.label.utf8.elementsEqual(label.utf8) else {
            throw .tampered(reason: "\(items.pathOf(name)) holds the item of another label")
        }
        return Stored(item: item, digest: file.withUnsafeBytes { sha256($0) })
    }

    package func write(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError) {
        let file = try KeyItem(label: label, access: access, payload: value).encoded()
        guard let items = try vault.items(.creating) else {
            throw .internalFailure(reason: "a folder that was made is missing")
        }
        try file.withUnsafeBytes { (bytes) throws(MainKeyError) in try items.write(bytes, to: fileName(label)) }
    }

    package func delete(_ label: String) throws(MainKeyError) {
        try vault.items(.existing)?.overwriteAndRemove(fileName(label))
    }

    package func labels() throws(MainKeyError) -> [String] { try list().map(\.label).sorted() }

    /// The labels of the items with this access, sorted.
    package func labels(access: Accessibility) throws(MainKeyError) -> [String] {
        try list().filter { $0.access == access }.map(\.label).sorted()
    }

    /// Removes the items that are unwanted. One that cannot be read or removed does not keep the others.
    ///
    /// - Returns: why some may have stayed; each names its file.
    func remove(where isUnwanted: (KeyItem) -> Bool) throws(MainKeyError) -> [MainKeyError] {
        guard let items = try vault.items(.existing) else { return [] }
        var failures: [MainKeyError] = []
        for name in try items.names() where name.hasSuffix(Self.suffix) {
            do throws(MainKeyError) {
                if let item = try item(in: name, of: items), fileName(item.label) == name, isUnwanted(item) {
                    try items.overwriteAndRemove(name)
                }
            } catch {
                if case .io = error {
                    failures.append(error)
                } else {
                    failures.append(.io(path: items.pathOf(name), reason: "it cannot be examined (\(error.code))"))
                }
            }
        }
        return failures
    }

    /// Overwrites and removes the items of every service, also what a crash left half written.
    package func wipe() throws(MainKeyError) {
        guard let items = try vault.items(.existing) else { return }
        for name in try items.names()
        where name.hasSuffix(Self.suffix) || name.hasSuffix(Self.suffix + Self.stagedSuffix) {
            try items.overwriteAndRemove(name)
        }
    }

    /// Items of this service; a file under another name than its label's belongs to another.
    private func list() throws(MainKeyError) -> [KeyItem] {
        guard let items = try vault.items(.existing) else { return [] }
        var found: [KeyItem] = []
        for name in try items.names() where name.hasSuffix(Self.suffix) {
            if let item = try item(in: name, of: items), fileName(item.label) == name { found.append(item) }
        }
        return found
    }

    private func item(in name: String, of items: PrivateDirectory) throws(MainKeyError) -> KeyItem? {
        try items.readSecret(name, limit: KeyItem.mostBytes).map { (file) throws(MainKeyError) in try KeyItem(file) }
    }

    /// The hash hides nothing; it gives every label a name that any file system takes.
    func fileName(_ label: String) -> String { Self.fileName(number(label)) }

    static func fileName(_ number: ItemList.Name) -> String { hex(number) + suffix }

    /// The number that the file of an item is named after.
    func number(_ label: String) -> ItemList.Name { Self.number(label, service: service) }

    static func number(_ label: String, service: String) -> ItemList.Name {
        let name = Array(service.utf8) + [0] + Array(label.utf8)
        return Array(name.withUnsafeBytes { sha256($0) }.prefix(ItemList.nameByteCount))
    }
}

/// Items that a commit changes: they are made ready beside the old ones, and take their places when it is final.
extension FileItemStore {
    /// Makes an item ready.
    ///
    /// - Returns: the digest of its file.
    func stage(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError) -> [UInt8] {
        let file = try KeyItem(label: label, access: access, payload: value).encoded()
        guard let items = try vault.items(.creating) else {
            throw .internalFailure(reason: "a folder that was made is missing")
        }
        try file.withUnsafeBytes { (bytes) throws(MainKeyError) in
            try items.stage(bytes, as: fileName(label) + Self.stagedSuffix)
        }
        return file.withUnsafeBytes { sha256($0) }
    }

    /// Waits until the disk has the names of what was made ready, and not just the content.
    func synchroniseStaged() throws(MainKeyError) { try vault.items(.existing)?.sync() }

    /// Puts an item that was made ready in its place.
    func promote(_ number: ItemList.Name) throws(MainKeyError) {
        let name = Self.fileName(number)
        try vault.items(.existing)?.promote(name + Self.stagedSuffix, to: name)
    }

    func delete(_ number: ItemList.Name) throws(MainKeyError) {
        try vault.items(.existing)?.overwriteAndRemove(Self.fileName(number))
    }

    /// Removes items that were made ready and are not to take their places.
    func discardStaged(_ numbers: [ItemList.Name]) throws(MainKeyError) {
        guard !numbers.isEmpty, let items = try vault.items(.existing) else { return }
        for number in numbers { try items.remove(Self.fileName(number) + Self.stagedSuffix) }
    }

    /// The same for all that a process that died made ready.
    func discardStaged() throws(MainKeyError) {
        guard let items = try vault.items(.existing) else { return }
        for name in try items.names() where name.hasSuffix(Self.suffix + Self.stagedSuffix) { try items.remove(name) }
    }

    /// The numbers of all files of items, of those in the clear too.
    func numbers() throws(MainKeyError) -> Set<ItemList.Name> {
        guard let items = try vault.items(.existing) else { return [] }
        return Set(try items.names().filter { $0.hasSuffix(Self.suffix) }.compactMap(Self.number(ofFile:)))
    }

    private static func number(ofFile name: String) -> ItemList.Name? {
        guard let number = Hex.bytes(digits: Array(name.utf8)[...].dropLast(suffix.utf8.count)),
            number.count == ItemList.nameByteCount
        else { return nil }
        return fileName(number) == name ? number : nil
    }

    /// All sealed items as they are. A file that is no whole item is not listed, and is found to be damaged where it is
    /// read.
    func listed() throws(MainKeyError) -> ItemList {
        var list = ItemList()
        for stored in try wholeItems() where stored.item.access != .always {
            try list.list(number(stored.item.label), digest: stored.digest)
        }
        return list
    }

    /// The numbers of whole items with this access.
    func numbers(access: Accessibility) throws(MainKeyError) -> [ItemList.Name] {
        try wholeItems().filter { $0.item.access == access }.map { number($0.item.label) }
    }

    private func wholeItems() throws(MainKeyError) -> [Stored] {
        guard let items = try vault.items(.existing) else { return [] }
        return try items.names().filter { $0.hasSuffix(Self.suffix) }.compactMap { name in
            guard let file = try? items.readSecret(name, limit: KeyItem.mostBytes), let item = try? KeyItem(file),
                fileName(item.label) == name
            else { return nil }
            return Stored(item: item, digest: file.withUnsafeBytes { sha256($0) })
        }
    }

    /// Ends what a commit that was killed behind its last step has begun: items that it made ready take their places,
    /// and sealed items that it removed go.
    func settle(as list: ItemList) throws(MainKeyError) {
        guard let items = try vault.items(.existing) else { return }
        for number in list.names {
            let name = Self.fileName(number)
            guard try digest(name, of: items) != list[number],
                try digest(name + Self.stagedSuffix, of: items) == list[number]
            else { continue }
            try items.promote(name + Self.stagedSuffix, to: name)
        }
        for number in try numbers().subtracting(list.names) where try isRemovable(Self.fileName(number), of: items) {
            try delete(number)
        }
        try discardStaged()
    }

    /// A sealed item, or one that was overwritten already.
    private func isRemovable(_ name: String, of items: PrivateDirectory) throws(MainKeyError) -> Bool {
        guard let file = try items.readSecret(name, limit: KeyItem.mostBytes) else { return false }
        if let item = try? KeyItem(file) { return item.access != .always }
        return file.withUnsafeBytes { bytes in bytes.allSatisfy { $0 == 0 } }
    }

    private func digest(_ name: String, of items: PrivateDirectory) throws(MainKeyError) -> [UInt8]? {
        try items.readSecret(name, limit: KeyItem.mostBytes).map { file in file.withUnsafeBytes { sha256($0) } }
    }
}
