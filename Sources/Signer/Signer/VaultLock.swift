import Foundation

/// Keeps a vault from being open for changes twice, in one program or two. Released when the last reference goes or the
/// process ends.
final class VaultLock: Sendable {
    private let descriptor: CInt

    init(folder: URL) throws {
        let path = folder.appending(path: "lock").path
        descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SignerError.storageUnavailable(path: path, reason: String(cString: strerror(errno)))
        }
        // `flock` locks this descriptor; `lockf` would let the same process in again, and let go when any descriptor closes.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw SignerError.vaultBusy(path: folder.path)
        }
    }

    deinit {
        // Not by closing alone: a process that is just being started has a copy of the descriptor until it runs its program.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
