import BasicFoundation

/// Whether a vault asked for something to be opened, the last time it was made, changed or used here.
///
///     "MKR1" | 1 if it asks for something, else 0 | vault ID 16
///
/// One such file is named after the vault and one after its folder, for an attacker would replace the vault and keep
/// the folder.
extension KnownVaults {
    private static let magic = Array("MKR1".utf8)
    private static let byteCount = magic.count + 1 + VaultID.byteCount

    private static func names(of vault: VaultID, at folder: String?) -> [String] {
        let path = folder.flatMap(FileManager.default.resolvedPath)
        let hash = path.map { path in hex(Array(path.utf8).withUnsafeBytes { sha256($0) }.prefix(16)) + ".folder" }
        return ["\(vault).vault"] + (hash.map { [$0] } ?? [])
    }

    /// The file that says that a vault, or the one that was in this folder, asks for something; nil if none does.
    ///
    /// One that cannot be read as what it is says so too.
    ///
    /// - Throws: `io` if it cannot be told.
    func protectionNote(of vault: VaultID, at path: String) throws(MainKeyError) -> String? {
        guard let folder = try folder(.existing) else { return nil }
        for name in Self.names(of: vault, at: path) {
            guard let bytes = try folder.read(name, limit: 4096) else { continue }
            let saysNo = bytes.count == Self.byteCount && bytes.starts(with: Self.magic) && bytes[Self.magic.count] == 0
            if !saysNo { return folder.pathOf(name) }
        }
        return nil
    }

    /// Refuses a folder that cannot be read: no vault that opens by itself would open.
    ///
    /// - Throws: `configError` where others may enter it, `io`.
    func checkIsReadable() throws(MainKeyError) { _ = try folder(.existing) }

    /// Whether a vault was made or used by this account, and not wiped since.
    func remembers(_ vault: VaultID) throws(MainKeyError) -> Bool {
        try folder(.existing)?.read("\(vault).vault", limit: 4096) != nil
    }

    /// - Parameter path: of the vault's folder; nil for one that gets another name.
    func remember(_ vault: VaultID, at path: String?, asksForSomething: Bool) throws(MainKeyError) {
        let bytes = Self.magic + [asksForSomething ? 1 : 0] + vault.bytes
        guard let folder = try folder(.creating) else { return }
        for name in Self.names(of: vault, at: path) where (try? folder.read(name, limit: 4096)) != bytes {
            try folder.write(bytes, to: name)
        }
    }

    func forget(_ vault: VaultID, at path: String) throws(MainKeyError) {
        guard let folder = try folder(.existing) else { return }
        for name in Self.names(of: vault, at: path) { try folder.remove(name) }
    }
}
