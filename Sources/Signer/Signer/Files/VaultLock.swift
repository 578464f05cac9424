import BasicFoundation
import Files

/// Keeps a vault from being open for changes twice, in one program or two. Released when the last reference goes or the
/// process ends.
final class VaultLock: Sendable {
    private let lock: FileLock

    convenience init(folder: URL) throws {
        try self.init(path: folder.appending(path: "lock").path, of: folder.path)
    }

    /// - Parameters:
    ///   - path: of the lock's file, which is made.
    ///   - folder: named where another program holds it.
    init(path: String, of folder: String) throws {
        guard let lock = try VaultFile(path).lockIfFree() else { throw SignerError.vaultBusy(path: folder) }
        self.lock = lock
    }
}
