import CLinux
import Foundation

/// A descriptor and the name that errors call it by. It is closed when the last reference goes,
/// if it is this one's to close.
final class OpenFile {
    let descriptor: CInt
    let path: String
    private let isOwned: Bool

    /// - Parameter isOwned: whether the descriptor is closed at the end.
    init(descriptor: CInt, path: String, isOwned: Bool = false) {
        self.descriptor = descriptor
        self.path = path
        self.isOwned = isOwned
    }

    /// Opens a file to read it.
    ///
    /// - Throws: ``MainKeyError/notFound(_:)`` or ``MainKeyError/io(path:reason:)``.
    init(reading path: String) throws(MainKeyError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        self.path = path
        isOwned = descriptor >= 0
        guard isOwned else {
            if errno == ENOENT { throw .notFound("file \(path)") }
            throw Self.failure(path)
        }
    }

    /// Makes a file that only the owner may read.
    ///
    /// - Parameter destination: what errors call it by.
    /// - Throws: ``MainKeyError/io(path:reason:)``, also if it is there already.
    init(creating path: String, for destination: String) throws(MainKeyError) {
        descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
        self.path = destination
        isOwned = descriptor >= 0
        guard isOwned else { throw Self.failure(destination) }
    }

    /// Makes a file without a name that only the owner may read, and that is gone when the process dies.
    ///
    /// - Returns: nil where the file system has none.
    init?(unnamedIn folder: OpenFile, for destination: String) {
        descriptor = clinux_open_nameable(folder.descriptor, 0o600)
        guard descriptor >= 0 else { return nil }
        path = destination
        isOwned = true
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// Bytes from the current position to the end; nil for what is no regular file.
    func remainingByteCount() throws(MainKeyError) -> Int? {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure() }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        let position = lseek(descriptor, 0, SEEK_CUR)
        guard position >= 0 else { throw failure() }
        return max(0, Int(status.st_size) - Int(position))
    }

    /// Reads until `buffer` is full or the file ends.
    ///
    /// - Returns: bytes read.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(MainKeyError) -> Int {
        try fill(buffer) { rest, _ in Foundation.read(descriptor, rest.baseAddress, rest.count) }
    }

    /// The same from an offset, without moving the position.
    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(MainKeyError) -> Int {
        try fill(buffer) { rest, done in pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done)) }
    }

    private func fill(
        _ buffer: UnsafeMutableRawBufferPointer, _ read: (UnsafeMutableRawBufferPointer, _ done: Int) -> Int
    ) throws(MainKeyError) -> Int {
        var done = 0
        while done < buffer.count {
            let count = read(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]), done)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            done += count
        }
        return done
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(MainKeyError) {
        var done = 0
        while done < bytes.count {
            let count = Foundation.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            done += count
        }
    }

    func synchronise() throws(MainKeyError) {
        guard fsync(descriptor) == 0 else { throw failure() }
    }

    func failure() -> MainKeyError { Self.failure(path) }

    /// The error that `errno` means for a path.
    static func failure(_ path: String) -> MainKeyError {
        .io(path: path, reason: String(cString: strerror(errno)))
    }
}
