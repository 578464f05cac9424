import CLibrary

/// A lock between processes, and between the parts of one, on a file or folder. It ends with its last reference, also
/// when the process dies.
///
/// Source: flock(2). A lock of fcntl(2) would let the same process in again, and go when any descriptor of the file is
/// closed.
public final class FileLock: Sendable {
    /// How a lock is held.
    public enum Mode: Sendable {
        /// Together with others that hold it so.
        case shared
        /// By one alone.
        case exclusive
    }

    private let file: OpenFile

    /// Takes the lock if it is free.
    ///
    /// - Parameters:
    ///   - mode: how it is held.
    ///   - file: what is locked.
    /// - Returns: nil if somebody else has it.
    public convenience init?(_ mode: Mode, ifFree file: OpenFile) throws(FileError) {
        try self.init(mode, file, flags: LOCK_NB)
    }

    /// Takes the lock, and waits for it as long as it takes.
    ///
    /// - Parameters:
    ///   - mode: how it is held.
    ///   - file: what is locked.
    public convenience init(_ mode: Mode, waitingFor file: OpenFile) throws(FileError) {
        guard let _: Void = try Self.take(mode, of: file, flags: 0) else {
            throw FileError(file.path, .lock, because: .system(.wouldBlock))
        }
        self.init(held: file)
    }

    private convenience init?(_ mode: Mode, _ file: OpenFile, flags: CInt) throws(FileError) {
        guard let _: Void = try Self.take(mode, of: file, flags: flags) else { return nil }
        self.init(held: file)
    }

    private init(held file: OpenFile) { self.file = file }

    private static func take(_ mode: Mode, of file: OpenFile, flags: CInt) throws(FileError) -> Void? {
        let operation = (mode == .exclusive ? LOCK_EX : LOCK_SH) | flags
        guard retrying({ flock(file.descriptor.rawValue, operation) }) != 0 else { return () }
        guard Errno.last == .wouldBlock else { throw .last(file.path, .lock) }
        return nil
    }

    /// Not by closing alone: a process that is just being started has a copy of the descriptor until it runs its
    /// program.
    deinit { _ = flock(file.descriptor.rawValue, LOCK_UN) }
}

extension Folder {
    /// Takes the lock of the folder itself, and waits for it as long as it takes.
    ///
    /// - Parameter mode: how it is held.
    public func lock(_ mode: FileLock.Mode = .exclusive) throws(FileError) -> FileLock {
        try FileLock(mode, waitingFor: try reopened())
    }

    /// Takes the lock of the folder itself if it is free.
    ///
    /// - Parameter mode: how it is held.
    /// - Returns: nil if somebody else has it.
    public func lockIfFree(_ mode: FileLock.Mode = .exclusive) throws(FileError) -> FileLock? {
        try FileLock(mode, ifFree: try reopened())
    }

    /// Takes the lock of a file in here, which is made if it is missing, if it is free.
    ///
    /// - Parameters:
    ///   - name: of one part.
    ///   - mode: how it is held.
    /// - Returns: nil if somebody else has it.
    public func lockIfFree(_ name: String, _ mode: FileLock.Mode = .exclusive) throws(FileError) -> FileLock? {
        try FileLock(mode, ifFree: try openOrCreate(name))
    }

    /// A lock belongs to an open file, not to a descriptor: each has one of its own.
    private func reopened() throws(FileError) -> OpenFile {
        try OpenFile(path, below: descriptor, name: ".", for: .readOnly, options: [.directory], permissions: nil)
    }
}
