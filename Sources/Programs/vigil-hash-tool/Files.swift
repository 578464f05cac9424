#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What a command reads whole.
enum InputFile {
    /// - Parameter limit: bytes.
    static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw .cannotRead(path: path, reason: errno == ENOENT ? "there is no such file" : systemReason())
        }
        defer { close(file) }
        var content: [UInt8] = []
        while true {
            var count = 0
            content += [UInt8](unsafeUninitializedCapacity: min(limit + 1 - content.count, 1 << 16)) { buffer, filled in
                count = readBytes(file, buffer.baseAddress, buffer.count)
                filled = max(count, 0)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .cannotRead(path: path, reason: systemReason()) }
            guard content.count <= limit else { throw .tooLarge(path: path, limit: limit) }
            if count == 0 { return content }
        }
    }
}

/// What a command writes, in one step.
enum OutputFile {
    /// Replaces the file in one step: a reader that opens the path meanwhile finds what was there before.
    static func write(_ content: [UInt8], to path: String) throws(Failure) {
        let temporary = "\(path).\(getpid()).new"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard file >= 0 else { throw .cannotWrite(path: path, reason: systemReason()) }
        var former = stat()
        if stat(path, &former) == 0 { fchmod(file, former.st_mode & 0o777) }
        let isWritten = content.withUnsafeBytes { writeBytes(file, $0) }
        guard isWritten, close(file) == 0, rename(temporary, path) == 0 else {
            let reason = systemReason()
            unlink(temporary)
            throw .cannotWrite(path: path, reason: reason)
        }
    }

    /// - Returns: whether all of it was taken; if not, the file is closed and `errno` tells why.
    private static func writeBytes(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = putBytes(file, UnsafeRawBufferPointer(rebasing: rest))
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let code = errno
                close(file)
                errno = code
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

/// read(2), beside functions of that name.
func readBytes(_ file: CInt, _ place: UnsafeMutableRawPointer?, _ count: Int) -> Int { read(file, place, count) }

private func putBytes(_ file: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(file, bytes.baseAddress, bytes.count)
}

/// Why the last call of the system failed, in its own words.
func systemReason() -> String { String(cString: strerror(errno)) }
