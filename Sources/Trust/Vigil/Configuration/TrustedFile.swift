#if os(Linux)
    import Glibc
    import SecretMemory

    /// A file that decides whom this program trusts, and so must not be changed by others: owned by root or by this
    /// user, and writable by no other, nor any folder that leads there.
    ///
    /// Source: `vigil` section 12.1.
    package enum TrustedFile {
        /// - Parameter limit: bytes.
        /// - Throws: ``ConfigurationError`` with the path and what to do.
        package static func read(_ path: String, limit: Int) throws(ConfigurationError) -> [UInt8] {
            var content = [UInt8](repeating: 0, count: limit + 1)
            let count = try content.withUnsafeMutableBytes { buffer in
                Result { () throws(ConfigurationError) in try read(path, into: buffer) }
            }.get()
            guard count <= limit else { throw ConfigurationError("\(path) has more than \(limit) bytes") }
            return Array(content[..<count])
        }

        /// Reads a secret, which no other user may read either.
        package static func readSecret(_ path: String, limit: Int) throws(ConfigurationError) -> SecretBytes {
            var result: Result<Int, ConfigurationError>?
            do {
                let content = try SecretBytes(count: limit + 1) { buffer in
                    result = Result { () throws(ConfigurationError) in try read(path, isSecret: true, into: buffer) }
                }
                let count = try result?.get() ?? 0
                guard (1...limit).contains(count) else {
                    throw ConfigurationError("\(path) has to have 1 to \(limit) bytes")
                }
                return try content.withUnsafeBytes {
                    try SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
                }
            } catch let error as ConfigurationError {
                throw error
            } catch {
                throw ConfigurationError("\(path): \(error)")
            }
        }

        /// - Returns: how many bytes there are; one more than fits into what is allowed stands for any number.
        private static func read(
            _ path: String, isSecret: Bool = false, into buffer: UnsafeMutableRawBufferPointer
        ) throws(ConfigurationError) -> Int {
            try TrustedPath().checkFolders(above: path)
            let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else {
                throw ConfigurationError("\(path) cannot be opened: \(String(cString: strerror(errno)))")
            }
            defer { close(file) }
            var status = stat()
            guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw ConfigurationError("\(path) is not a regular file")
            }
            guard [0, geteuid()].contains(status.st_uid) else {
                throw ConfigurationError(
                    "\(path) belongs to user \(status.st_uid); it has to belong to root or to user \(geteuid())")
            }
            let mode = String(status.st_mode & 0o777, radix: 8)
            guard status.st_mode & 0o022 == 0 else {
                throw ConfigurationError("others may write \(path) (mode \(mode)); run chmod go-w on it")
            }
            guard !isSecret || status.st_mode & 0o044 == 0 else {
                throw ConfigurationError("others may read \(path) (mode \(mode)); run chmod go= on it")
            }
            let count = try fill(buffer, from: file, path)
            guard count == min(buffer.count, Int(status.st_size)) else {
                throw ConfigurationError("\(path) has changed while it was read")
            }
            return count
        }

        private static func fill(
            _ buffer: UnsafeMutableRawBufferPointer, from file: Int32, _ path: String
        ) throws(ConfigurationError) -> Int {
            var done = 0
            while done < buffer.count {
                let count = Glibc.read(file, buffer.baseAddress.map { $0 + done }, buffer.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count >= 0 else {
                    throw ConfigurationError("\(path) cannot be read: \(String(cString: strerror(errno)))")
                }
                guard count > 0 else { break }
                done += count
            }
            return done
        }
    }
#endif
