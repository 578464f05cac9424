import SecretMemory

/// Key items as files of this user alone, in the folder `items` of a vault: `items/<hash of service and label>.item`. It keeps
/// them from other users, and from backups that heed the marks; not from programs of the same user.
///
/// Source: `mainkey` section 19.
public final class FileItemStore: KeyItemStore {
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

    public func read(_ label: String) throws(MainKeyError) -> SecretBytes? { try item(label)?.payload }

    /// An item with its access.
    ///
    /// - Throws: `tampered` if the file holds an item of another label; what a file that cannot be read or is damaged gives.
    public func item(_ label: String) throws(MainKeyError) -> KeyItem? {
        guard let items = try vault.items(.existing) else { return nil }
        let name = fileName(label)
        guard let item = try item(in: name, of: items) else { return nil }
        guard item.label.utf8.elementsEqual(label.utf8) else {
            throw .tampered(reason: "\(items.pathOf(name)) holds the item of another label")
        }
        return item
    }

    public func write(_ label: String, _ value: SecretBytes, access: Accessibility) throws(MainKeyError) {
        let file = try KeyItem(label: label, access: access, payload: value).encoded()
        guard let items = try vault.items(.creating) else {
            throw .internalFailure(reason: "a folder that was made is missing")
        }
        try file.withUnsafeBytes { (bytes) throws(MainKeyError) in try items.write(bytes, to: fileName(label)) }
    }

    public func delete(_ label: String) throws(MainKeyError) {
        try vault.items(.existing)?.overwriteAndRemove(fileName(label))
    }

    public func labels() throws(MainKeyError) -> [String] { try list().map(\.label).sorted() }

    /// The labels of the items with this access, sorted.
    public func labels(access: Accessibility) throws(MainKeyError) -> [String] {
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
    func fileName(_ label: String) -> String {
        let name = Array(service.utf8) + [0] + Array(label.utf8)
        return hex(name.withUnsafeBytes { sha256($0) }.prefix(16)) + Self.suffix
    }
}
