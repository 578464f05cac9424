import Foundation

/// The lock of a folder between processes, and between the parts of one: shared for reading, exclusive for commits and for trying
/// PINs. It ends with its owner, also when that process dies.
///
/// Source: `mainkey` section 22; flock(2).
package struct DirectoryLock: ~Copyable, Sendable {
    package enum Mode: Sendable { case shared, exclusive }

    package static let defaultPatience = Duration.seconds(10)
    private static let pause = Duration.milliseconds(10)

    private let file: Descriptor

    /// Waits for the lock.
    ///
    /// - Parameter patience: how long to try.
    /// - Throws: `busy` when the time is over; `io`, `configError`.
    package static func acquire(
        _ mode: Mode, in directory: PrivateDirectory, patience: Duration = defaultPatience
    ) async throws(MainKeyError) -> DirectoryLock {
        try await acquire(mode, in: directory, patience: patience, clock: ContinuousClock())
    }

    static func acquire<C: Clock<Duration>>(
        _ mode: Mode, in directory: PrivateDirectory, patience: Duration, clock: C
    ) async throws(MainKeyError) -> DirectoryLock {
        let deadline = clock.now.advanced(by: patience)
        while true {
            if let lock = try attempt(mode, in: directory) { return lock }
            guard clock.now < deadline else { throw .busy(path: directory.path) }
            // A task that is cancelled does not wait any longer.
            do { try await clock.sleep(for: pause) } catch { throw .busy(path: directory.path) }
        }
    }

    /// Takes the lock if it is free.
    ///
    /// - Returns: nil if somebody else has it.
    package static func attempt(_ mode: Mode, in directory: PrivateDirectory) throws(MainKeyError) -> DirectoryLock? {
        let file = try open(in: directory)
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB
        let number = file.number
        guard retrying({ Int(flock(number, operation)) }) == 0 else {
            if errno == EWOULDBLOCK { return nil }
            throw .system(directory.pathOf(VaultDirectory.Name.lock), "it cannot be locked")
        }
        return DirectoryLock(file: file)
    }

    private static func open(in directory: PrivateDirectory) throws(MainKeyError) -> Descriptor {
        let name = VaultDirectory.Name.lock
        if let file = try directory.openFile(name) { return file }
        let number = openat(
            directory.descriptor.number, name, O_RDONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
        guard number >= 0 else { throw .system(directory.pathOf(name), "the lock cannot be made") }
        return Descriptor(owning: number)
    }

    /// Gives the lock back now.
    package consuming func release() {}

    deinit { file.unlock() }
}
