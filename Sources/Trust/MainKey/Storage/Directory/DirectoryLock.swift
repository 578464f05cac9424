import Files

/// The lock of a folder between processes, and between the parts of one: shared for reading, exclusive for commits and
/// for trying PINs. It ends with its owner, also when that process dies.
///
/// Source: `mainkey` section 22; flock(2).
package struct DirectoryLock: ~Copyable, Sendable {
    package typealias Mode = FileLock.Mode

    private let lock: FileLock

    /// Takes the lock if it is free.
    ///
    /// - Returns: nil if somebody else has it.
    package static func attempt(_ mode: Mode, in directory: PrivateDirectory) throws(MainKeyError) -> DirectoryLock? {
        let name = VaultDirectory.Name.lock
        // Opened for reading alone, since a file system that takes no writing still has locks.
        var file = try directory.openFile(name)
        if file == nil { file = try onDisk(try directory.folder.openOrCreate(name, for: .readOnly)) }
        return try file.flatMap { (file) throws(MainKeyError) in try onDisk(try FileLock(mode, ifFree: file)) }
            .map { DirectoryLock(lock: $0) }
    }

    /// Whether anybody has ever locked the folder.
    static func exists(in directory: PrivateDirectory) throws(MainKeyError) -> Bool {
        try directory.openFile(VaultDirectory.Name.lock) != nil
    }

    /// Gives the lock back now.
    package consuming func release() {}
}
