import Threads

/// The lock of a vault's folder, held until the last reference goes.
final class HeldLock {
    private static let pause = Duration.milliseconds(10)
    private var lock: DirectoryLock?

    /// Waits for it.
    ///
    /// - Parameter makesFile: whether a missing file of the lock is made; else nobody has locked, and nothing is held.
    /// - Throws: `busy` when the time is over.
    init(
        _ mode: DirectoryLock.Mode, of directory: VaultDirectory, patience: Duration, makesFile: Bool = true
    ) throws(MainKeyError) {
        if !makesFile, try !DirectoryLock.exists(in: directory.files) {
            lock = nil
            return
        }
        let deadline = ContinuousClock.now + patience
        while true {
            lock = try DirectoryLock.attempt(mode, in: directory.files)
            if lock != nil { return }
            guard ContinuousClock.now < deadline else { throw .busy(path: directory.files.path) }
            SystemThread.sleep(for: Self.pause)
        }
    }
}
