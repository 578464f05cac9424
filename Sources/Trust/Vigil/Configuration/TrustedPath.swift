#if os(Linux)
    import Glibc

    /// A path that no other user can make lead elsewhere: every folder on it, and every link, belongs to root or to
    /// those who are trusted, and no other may write there. In a folder with the sticky bit, as /tmp, others make files
    /// of their own and do not touch those of other users.
    ///
    /// Source: `vigil` section 12.1.
    package struct TrustedPath {
        /// The users, beside root, who may own what lies on it.
        private let owners: Set<uid_t>
        /// How many links are followed, as many as the kernel follows.
        private static let linkLimit = 40

        /// - Parameter owners: beside root.
        package init(owners: Set<uid_t> = [geteuid()]) {
            self.owners = owners.union([0])
        }

        /// Checks a path to its end.
        ///
        /// - Parameter path: absolute.
        /// - Throws: ``ConfigurationError`` with the part that is wrong and what to do.
        package func check(_ path: String) throws(ConfigurationError) {
            var rest = Self.components(path)
            var done = ""
            var links = 0
            try check(folder: "/")
            while let component = rest.popLast() {
                if component == ".." {
                    done = String(done[..<(done.utf8.lastIndex(of: Self.slash) ?? done.startIndex)])
                    continue
                }
                let part = "\(done)/\(component)"
                let status = try Self.status(part)
                if status.st_mode & S_IFMT == S_IFLNK {
                    links += 1
                    guard links <= Self.linkLimit else { throw ConfigurationError("\(path) has too many links") }
                    try check(ownerOf: part, status)
                    let target = try Self.target(part)
                    if target.utf8.first == Self.slash { done = "" }
                    rest += Self.components(target)
                    continue
                }
                try check(part, status)
                done = part
            }
        }

        /// Checks the folders that a path goes through, and not its end.
        package func checkFolders(above path: String) throws(ConfigurationError) {
            let folder = path[..<(path.utf8.lastIndex(of: Self.slash) ?? path.startIndex)]
            try check(folder.isEmpty ? "/" : String(folder))
        }

        private func check(folder path: String) throws(ConfigurationError) { try check(path, Self.status(path)) }

        private func check(_ path: String, _ status: stat) throws(ConfigurationError) {
            try check(ownerOf: path, status)
            let isShared = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
            guard status.st_mode & 0o022 == 0 || isShared else {
                throw ConfigurationError(
                    "others may write \(path) (mode \(String(status.st_mode & 0o7777, radix: 8))); run chmod go-w on it"
                )
            }
        }

        private func check(ownerOf path: String, _ status: stat) throws(ConfigurationError) {
            guard owners.contains(status.st_uid) else {
                let allowed = owners.sorted().map { $0 == 0 ? "root" : "user \($0)" }.joined(separator: " or ")
                throw ConfigurationError("\(path) belongs to user \(status.st_uid); it has to belong to \(allowed)")
            }
        }

        /// The parts of a path as the kernel sees them, in bytes, the last first.
        private static func components(_ path: String) -> [String] {
            path.utf8.split(separator: slash).map { String(Substring($0)) }.filter { $0 != "." }.reversed()
        }

        private static let slash = UInt8(ascii: "/")

        private static func status(_ path: String) throws(ConfigurationError) -> stat {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                throw ConfigurationError("\(path) cannot be examined: \(String(cString: strerror(errno)))")
            }
            return status
        }

        private static func target(_ link: String) throws(ConfigurationError) -> String {
            var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = buffer.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { readlink(link, $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? -1
            }
            guard (0..<buffer.count).contains(count) else {
                throw ConfigurationError("the link \(link) cannot be read")
            }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
#endif
