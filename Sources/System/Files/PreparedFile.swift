#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is opened beside its place before there is anything to write, and takes its place when it is whole.
///
/// What can be refused — a folder that is missing or closed, a device in its place — is refused when it is prepared.
/// After a crash the old file is there or the new one.
///
///     let output = try PreparedFile(for: path)
///     try output.write(bytes)
///     try output.commit()
public final class PreparedFile {
    /// The path as it was asked for.
    public let path: String
    private let target: String
    private let draft: String
    private let descriptor: Int32
    private var isOpen = true

    /// - Throws: ``FileRefusal/unwritable(path:reason:)``, ``FileRefusal/folder(path:)``.
    public init(for path: String) throws(FileRefusal) {
        self.path = path
        target = try Self.target(of: path)
        draft = target + ".part-" + String(UInt64.random(in: .min ... .max), radix: 36)
        descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: InputFile.reason()) }
    }

    deinit { if isOpen { discard() } }

    public func write(_ bytes: some Collection<UInt8>) throws(FileRefusal) {
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { memory in
                #if canImport(Glibc)
                    Glibc.write(descriptor, memory.baseAddress! + done, memory.count - done)
                #else
                    Darwin.write(descriptor, memory.baseAddress! + done, memory.count - done)
                #endif
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw .unwritable(path: path, reason: InputFile.reason()) }
            done += count
        }
    }

    /// Brings it to the disk and puts it in its place.
    public func commit() throws(FileRefusal) {
        precondition(isOpen, "a prepared file takes its place once")
        isOpen = false
        let isWritten = fsync(descriptor) == 0
        guard close(descriptor) == 0, isWritten, rename(draft, target) == 0 else {
            let refusal = FileRefusal.unwritable(path: path, reason: InputFile.reason())
            unlink(draft)
            throw refusal
        }
    }

    private func discard() {
        isOpen = false
        close(descriptor)
        unlink(draft)
    }

    /// Where the file itself is: behind links, and never a folder or a device, which a file must not take the place of.
    private static func target(of path: String) throws(FileRefusal) -> String {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            guard errno == ENOENT else { throw .unwritable(path: path, reason: InputFile.reason()) }
            return path
        }
        guard stat(path, &facts) == 0, let resolved = realpath(path, nil) else {
            throw .unwritable(path: path, reason: InputFile.reason())
        }
        defer { free(resolved) }
        guard facts.st_mode & S_IFMT != S_IFDIR else { throw .folder(path: path) }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .unwritable(path: path, reason: "it is a device or pipe and no file")
        }
        return String(cString: resolved)
    }
}

extension PreparedFile {
    /// Replaces a file at once.
    public static func replace(_ path: String, with bytes: [UInt8]) throws(FileRefusal) {
        let file = try PreparedFile(for: path)
        try file.write(bytes)
        try file.commit()
    }
}
