import Foundation

/// Keeps a vault from being open for changes twice, in one program or two. Released when the last reference goes or the
/// process ends.
final class VaultLock: Sendable {
    private let descriptor: CInt

    convenience init(folder: URL) throws {
        try self.init(path: folder.appending(path: "lock").path, of: folder.path)
    }

    /// - Parameters:
    ///   - path: of the lock's file, which is made.
    ///   - folder: named where another program holds it.
    init(path: String, of folder: String) throws {
        descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SignerError.storageUnavailable(path: path, reason: String(cString: strerror(errno)))
        }
        // `flock` locks this descriptor; `lockf` would let the same process in again, and let go when any descriptor
        // closes. Closed by `deinit`, which also runs where this throws: no descriptor of other code may be closed in
        // its place.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw SignerError.vaultBusy(path: folder) }
    }

    deinit {
        // Not by closing alone: a process that is just being started has a copy of the descriptor until it runs its
        // program.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
