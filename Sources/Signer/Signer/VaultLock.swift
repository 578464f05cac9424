import Foundation

/// Keeps two programs from changing one vault at the same time. Released when the last reference goes or the process ends.
final class VaultLock: Sendable {
    private let descriptor: CInt

    init(folder: URL) throws {
        let path = folder.appending(path: "lock").path
        descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw SignerError.storageUnavailable(path: path, reason: String(cString: strerror(errno)))
        }
        guard lockf(descriptor, F_TLOCK, 0) == 0 else {
            close(descriptor)
            throw SignerError.vaultBusy(path: folder.path)
        }
    }

    deinit {
        close(descriptor)
    }
}
