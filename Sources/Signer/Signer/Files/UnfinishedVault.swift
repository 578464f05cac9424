import BasicFoundation
import Files
import MainKey

/// The folder in which a vault is made until everything is in place, beside the one that it becomes. Its lock is held
/// as long: what has such a name and is not locked was left by a process that died, and is removed when a vault of the
/// same name is made.
///
/// Source: `signer-product` section 1.4.
final class UnfinishedVault: Sendable {
    let folder: URL
    private let lock: FileLock

    /// Makes the folder.
    ///
    /// - Parameters:
    ///   - vault: the folder that it becomes.
    ///   - opening: how the keys of those that were left are opened.
    init(of vault: URL, _ opening: OpenOptions) throws {
        let parent = vault.deletingLastPathComponent()
        let prefix = ".\(vault.lastPathComponent).new-"
        let name = prefix + UUID().uuidString
        folder = parent.appending(path: name)
        try onDisk(vault) { try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true) }
        lock = try onDisk {
            let place = try Folder(FilePath(parent.path), followsLinks: true)
            Self.removeLeftovers(prefix, in: place, opening)
            guard let made = try place.folder(name, makesMissing: true), let lock = try made.lockIfFree() else {
                throw SignerError.vaultBusy(path: vault.path)
            }
            return lock
        }
    }

    /// Removes those that no process is making. What cannot be removed keeps nobody from making a vault.
    private static func removeLeftovers(_ prefix: String, in parent: Folder, _ opening: OpenOptions) {
        for name in (try? parent.names()) ?? [] where name.utf8.starts(with: prefix.utf8) {
            guard UUID(uuidString: String(Substring(name.utf8.dropFirst(prefix.utf8.count)))) != nil,
                let folder = try? parent.folder(name, rules: .privateFolder), let lock = try? folder.lockIfFree()
            else { continue }
            // Also what was made for it in the TPM, where its key or a list got as far as to tell.
            let key = VaultKey.folder(of: URL(filePath: folder.path.string))
            _ = try? MainKeyVault.open(at: key.path, opening).wipe()
            try? MainKeyVault.removeUnfinished(at: key.path, opening)
            try? parent.removeTree(name, overwriting: true)
            withExtendedLifetime(lock) {}
        }
    }

    /// Removes the folder, where it has not become the vault.
    func remove() { try? FileManager.default.removeItem(at: folder) }
}
