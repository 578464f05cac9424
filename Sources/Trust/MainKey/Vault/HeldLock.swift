import Foundation

/// The lock of a vault's folder, held until the last reference goes.
final class HeldLock {
    private static let pause = 0.01
    private let lock: DirectoryLock

    /// Waits for it.
    ///
    /// - Throws: `busy` when the time is over.
    init(_ mode: DirectoryLock.Mode, of directory: VaultDirectory, patience: Duration) throws(MainKeyError) {
        let deadline = ContinuousClock.now + patience
        while true {
            if let lock = try DirectoryLock.attempt(mode, in: directory.files) {
                self.lock = lock
                return
            }
            guard ContinuousClock.now < deadline else { throw .busy(path: directory.files.path) }
            Thread.sleep(forTimeInterval: Self.pause)
        }
    }
}
