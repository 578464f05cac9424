import Foundation

/// The lock of a folder between processes, and between the parts of one: shared for reading, exclusive for commits and
/// for trying PINs. It ends with its owner, also when that process dies.
///
/// Source: `mainkey` section 22; flock(2).
package struct DirectoryLock: ~Copyable, Sendable {
    package enum Mode: Sendable { case shared, exclusive }

    private let file: Descriptor

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

    /// Whether anybody has ever locked the folder.
    static func exists(in directory: PrivateDirectory) throws(MainKeyError) -> Bool {
        try directory.openFile(VaultDirectory.Name.lock) != nil
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
