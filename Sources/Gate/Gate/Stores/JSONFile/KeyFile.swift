#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The file of a key store: held against other processes, read as a whole, replaced as a whole.
///
/// Replacing writes a file of mode 0600 in a folder of mode 0700 beside the target, brings it to the disk, renames it
/// over the target and brings the folder to the disk: killed at any instruction, or without power, the old content is
/// there or the new.
///
/// Source: `appattest-gate` section 5.2.
final class KeyFile: Sendable {
    /// Points of a replacement at which the process may end.
    enum Step: String, CaseIterable, Sendable {
        case created, written, flushed, renamed, settled
    }

    /// The size of the largest file in bytes: a larger one is not this store's.
    static let maximumBytes = 256 << 20

    let path: String
    private let name: String
    private let folder: Int32
    private let lock: Int32
    private let onStep: @Sendable (Step) -> Void

    private var temporaryFolder: String { ".\(name).saving" }
    private static let temporaryName = "new"

    /// Holds the file for this process; makes its folder if that alone is missing.
    ///
    /// - Parameter onStep: is told what was reached; for tests that end the process there.
    init(_ path: String, onStep: @escaping @Sendable (Step) -> Void = { _ in }) throws(StoreError) {
        let split = path.lastIndex(of: "/")
        name = String(path[(split.map { path.index(after: $0) } ?? path.startIndex)...])
        guard !name.isEmpty, name != ".", name != "..", !path.utf8.contains(0) else {
            throw .refused("the path of the key file does not name a file")
        }
        self.path = path
        self.onStep = onStep
        folder = try Self.open(folder: split.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
        do throws(StoreError) { lock = try Self.lock(name + ".lock", in: folder, of: path) } catch {
            close(folder)
            throw error
        }
    }

    deinit {
        close(lock)
        close(folder)
    }

    private static func open(folder: String) throws(StoreError) -> Int32 {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        var descriptor = sysOpen(folder, flags)
        if descriptor < 0, errno == ENOENT, mkdir(folder, 0o700) == 0 { descriptor = sysOpen(folder, flags) }
        guard descriptor >= 0 else { throw .system("the folder of the key file cannot be opened") }
        return descriptor
    }

    private static func sysOpen(_ path: String, _ flags: Int32) -> Int32 {
        #if canImport(Glibc)
            Glibc.open(path, flags)
        #else
            Darwin.open(path, flags)
        #endif
    }

    private static func lock(_ name: String, in folder: Int32, of path: String) throws(StoreError) -> Int32 {
        let descriptor = openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system("the lock of the key file cannot be opened") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            close(descriptor)
            throw code == EWOULDBLOCK ? .inUse(path: path) : .system("the key file cannot be locked", code: code)
        }
        return descriptor
    }

    /// Gives the file free for other processes; nothing is written after this.
    func unlock() { _ = flock(lock, LOCK_UN) }

    /// - Returns: nil if there is no file.
    func read() throws(StoreError) -> [UInt8]? {
        let descriptor = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .system("the key file cannot be opened")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .system("the key file cannot be examined") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .refused("the path of the key file names no file") }
        guard status.st_mode & 0o022 == 0 else {
            throw .refused("others may write the key file, and so let in whom they like (chmod go-w)")
        }
        guard status.st_size <= Self.maximumBytes else {
            throw .corrupt("the key file is larger than \(Self.maximumBytes) bytes")
        }
        // Nobody else writes it; what has grown nevertheless is cut, and no JSON.
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .system("the key file cannot be read") }
            if count == 0 { break }
            done += count
        }
        bytes.removeLast(bytes.count - done)
        return bytes
    }

    /// What changes when somebody writes the file: when it was changed last, its size and its place; empty where there
    /// is none.
    var version: [Int64] {
        var status = stat()
        guard fstatat(folder, name, &status, 0) == 0 else { return [] }
        #if canImport(Glibc)
            let time = status.st_mtim
        #else
            let time = status.st_mtimespec
        #endif
        return [Int64(time.tv_sec), Int64(time.tv_nsec), Int64(status.st_size), Int64(status.st_ino)]
    }

    /// Replaces the content by what `write` puts out.
    func replace(_ write: (inout FileOutput) throws(StoreError) -> Void) throws(StoreError) {
        let directory = try privateFolder()
        defer { close(directory) }
        unlinkat(directory, Self.temporaryName, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = openat(directory, Self.temporaryName, flags, 0o600)
        guard descriptor >= 0 else { throw .system("the key file cannot be written") }
        onStep(.created)
        do throws(StoreError) {
            defer { close(descriptor) }
            var output = FileOutput(descriptor)
            try write(&output)
            try output.flush()
            onStep(.written)
            guard Self.flush(descriptor) else { throw .system("the key file cannot be brought to the disk") }
            onStep(.flushed)
        } catch {
            unlinkat(directory, Self.temporaryName, 0)
            throw error
        }
        guard renameat(directory, Self.temporaryName, folder, name) == 0 else {
            let error = StoreError.system("the key file cannot be replaced")
            unlinkat(directory, Self.temporaryName, 0)
            throw error
        }
        onStep(.renamed)
        guard Self.flush(folder) else { throw .system("the folder of the key file cannot be brought to the disk") }
        onStep(.settled)
    }

    /// Gives a file that cannot be read another name, which is not in use.
    ///
    /// - Returns: that name's path.
    func setAside() throws(StoreError) -> String {
        for number in 1...1_000 {
            let suffix = ".unreadable-\(number)"
            // A second name for the file is refused if it is in use, and leaves no moment without any.
            guard linkat(folder, name, folder, name + suffix, 0) == 0 else {
                if errno == EEXIST { continue }
                throw .system("the unreadable key file cannot be set aside")
            }
            guard unlinkat(folder, name, 0) == 0, Self.flush(folder) else {
                throw .system("the unreadable key file cannot be set aside")
            }
            return path + suffix
        }
        throw .refused("there are too many unreadable key files beside \(path)")
    }

    /// The folder for what is being written, which no other user can enter.
    private func privateFolder() throws(StoreError) -> Int32 {
        guard mkdirat(folder, temporaryFolder, 0o700) == 0 || errno == EEXIST else {
            throw .system("the folder for saving keys cannot be made")
        }
        let descriptor = openat(folder, temporaryFolder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("the folder for saving keys cannot be opened") }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw .refused("the folder for saving keys is open to other users: remove \(temporaryFolder)")
        }
        return descriptor
    }

    private static func flush(_ descriptor: Int32) -> Bool {
        #if canImport(Darwin)
            // The drive's own cache too; file systems that cannot do that still take fsync.
            fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        #else
            fsync(descriptor) == 0
        #endif
    }
}
