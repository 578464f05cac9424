#if os(Linux)
    import Files
    import Glibc

    /// Looks at files of the system, during one look at a process: what was found about a folder holds for all files in
    /// it.
    ///
    /// Source: `vigil` section 4.5.
    package struct ExternalFiles {
        private var folders: [Substring: ExternalFile] = [:]

        /// What stat(2) tells of a file, by the key of its mappings, where maps do not tell it from all others.
        private(set) var ambiguous: [FileKey: FileKey] = [:]

        package init() {}

        /// Looks at the file of a mapping, and at the folders above it.
        ///
        /// A path that names nothing here is refused: a process in a mount namespace of its own can map anything under
        /// any path.
        ///
        /// - Parameters:
        ///   - path: absolute, as the map of the memory shows it: without links.
        ///   - key: of the mapping.
        package mutating func examine(_ path: String, _ key: FileKey) -> ExternalFile {
            var status = stat()
            guard lstat(path, &status) == 0 else {
                return .refused("library that is not there for this process")
            }
            let found = FileKey(status)
            guard status.st_mode & S_IFMT == S_IFREG, found == key || isMapped(path, found, as: key) else {
                return .refused("library that is another file than the one of its path")
            }
            guard Self.isOnlyRoots(status) else { return .refused("library that others than root may change") }
            return folder(above: path[...])
        }

        private mutating func folder(above path: Substring) -> ExternalFile {
            guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return .trusted }
            let folder = path[..<slash]
            if let known = folders[folder] { return known }
            let found = look(at: folder)
            folders[folder] = found
            return found
        }

        private mutating func look(at folder: Substring) -> ExternalFile {
            var status = stat()
            guard lstat(folder.isEmpty ? "/" : String(folder), &status) == 0 else {
                return .refused("library in a folder that this process may not look at")
            }
            guard status.st_mode & S_IFMT == S_IFDIR, Self.isOnlyRoots(status) else {
                return .refused("library in a folder that others than root may change")
            }
            return self.folder(above: folder)
        }

        private static func isOnlyRoots(_ status: stat) -> Bool {
            status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0
        }

        /// Whether a file is the mapped one, though maps show another device for it than stat(2).
        private mutating func isMapped(_ path: String, _ found: FileKey, as key: FileKey) -> Bool {
            guard let file = try? OpenFile(opening: path, followsLinks: false) else {
                return false
            }
            return withExtendedLifetime(file) {
                guard (try? FileKey(descriptor: file.number)) == found, (try? FileKey(mapping: file.number)) == key
                else { return false }
                if FileSystemKind.sharesInodes(descriptor: file.number) { ambiguous[key] = found }
                return true
            }
        }
    }
#endif
