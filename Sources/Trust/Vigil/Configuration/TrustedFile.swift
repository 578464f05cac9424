#if os(Linux)
    import Files
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
            var rules = FileRules.trustedFile
            if isSecret { rules.forbidden.formUnion([.groupRead, .otherRead]) }
            do throws(FileError) {
                let file = try OpenFile(FilePath(path), rules: rules)
                let count = try file.read(at: 0, into: buffer)
                guard count == min(buffer.count, Int(clamping: try file.facts().size)) else {
                    throw FileError(file.path, .read, because: .shortened)
                }
                return count
            } catch {
                guard error.reason == .shortened else { throw ConfigurationError("\(error)") }
                throw ConfigurationError("\(path) has changed while it was read")
            }
        }
    }
#endif
