import SecretMemory

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file with a private key. It may belong to any user, since root signs with the key of the user who called it; but
/// no user other than its owner may use it.
enum KeyFile {
    /// Reads it straight into secret memory.
    ///
    /// - Parameter limit: bytes.
    static func read(_ path: String, limit: Int) throws -> SecretBytes {
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Failure.cannotRead(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure.cannotRead(path: path, reason: "it is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw Failure.cannotRead(
                path: path, reason: "others may use the key in it (mode \(mode)); run chmod 600 on it")
        }
        guard status.st_size <= limit else { throw Failure.tooLarge(path: path, limit: limit) }
        return try SecretBytes(count: Int(status.st_size), attempting: { try fill($0, from: file, path) })
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, from file: Int32, _ path: String) throws {
        var done = 0
        while done < buffer.count {
            let count = readBytes(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw Failure.cannotRead(path: path, reason: "it changes while it is read") }
            done += count
        }
    }
}
