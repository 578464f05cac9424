#if os(Linux)
    import CodeMeasurement
    import Files
    import Glibc

    /// Whether the program of a process is the file that the manifest's path names here.
    ///
    /// Of a file that lies elsewhere nobody knows who decides its content: a user serves file systems of their own
    /// (FUSE, also below an overlay in a namespace of theirs) or has the image that one is in, and such a one tells of
    /// any owner, mode and time, and of other bytes to each who asks.
    ///
    /// Source: `vigil` section 4.7.
    struct ProgramPlace: Sendable {
        /// The path that the manifest gives it.
        let path: String
        /// The file that was seen there, of the process that is looked at.
        private var seen: FileKey?
        /// Whether the program is no longer there, as after an upgrade: it was removed, renamed or replaced.
        private(set) var isLeft = false

        init(_ path: String) {
            self.path = path
        }

        /// Looks for a program.
        ///
        /// - Returns: why it is not the one of the path, nor the one that was there; nil if it is.
        mutating func objection(to program: OpenFile) -> String? {
            guard let status = try? program.status() else { return "the file of the process cannot be examined" }
            let key = FileKey(status)
            let there = Self.status(path)
            isLeft = there.map(FileKey.init) != key
            if !isLeft { seen = key }
            guard seen != key else { return nil }
            // What was removed before it was met is refused as such where the policy says so. It was on the device of
            // what took its place.
            let folder = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
            let beside = (there ?? Self.status(String(folder))).map(FileKey.init)
            if status.st_nlink == 0, beside?.device == key.device { return nil }
            return "the process runs another file than \(path), which alone is measured; start that one"
        }

        private static func status(_ path: String) -> stat? {
            var status = stat()
            return lstat(path, &status) == 0 ? status : nil
        }
    }

    extension TrustedPath {
        /// Whether root alone decides what a file holds: it is root's, and no folder or link of its path is another's,
        /// who could make it lead into a file system of theirs.
        ///
        /// - Parameters:
        ///   - status: of the open file.
        ///   - path: that it was opened by, or is known to be at.
        package static func isRoots(_ status: stat, at path: String) -> Bool {
            guard status.st_uid == 0, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else { return false }
            do throws(ConfigurationError) { try TrustedPath(owners: [0]).checkFolders(above: path) } catch {
                return false
            }
            return true
        }
    }
#endif
