import Foundation

/// The regular files below a folder, found without leaving any out: what cannot be read is an error, and a folder on
/// another file system is a folder like any other.
///
/// The folder itself may be reached by a symbolic link; links inside are not followed.
struct FolderWalk {
    /// How many folders may lie within each other.
    private static let mostLevels = 256

    /// The path of the folder, without symbolic links.
    let root: String

    /// - Throws: `io` if there is no such folder.
    init(_ path: String) throws(MainKeyError) {
        guard let resolved = realpath(path, nil) else { throw .system(path, "the folder cannot be read") }
        defer { free(resolved) }
        root = String(cString: resolved)
    }

    /// The paths of all files below the root, sorted.
    func files() throws(MainKeyError) -> [String] {
        var files: [String] = []
        var folders = [(path: "", level: 0)]
        while let folder = folders.popLast() {
            guard folder.level <= Self.mostLevels else {
                throw .io(path: full(folder.path), reason: "folders lie too deep in each other")
            }
            for entry in try entries(of: folder.path) {
                let path = folder.path.isEmpty ? entry.name : folder.path + "/" + entry.name
                switch entry.kind {
                case S_IFREG: files.append(path)
                case S_IFDIR: folders.append((path, folder.level + 1))
                default: break
                }
            }
        }
        return files.sorted()
    }

    func full(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

    private func entries(of folder: String) throws(MainKeyError) -> [(name: String, kind: mode_t)] {
        let path = full(folder)
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0, let stream = fdopendir(number) else {
            let failure = MainKeyError.system(path, "the folder cannot be read")
            if number >= 0 { close(number) }
            throw failure
        }
        defer { closedir(stream) }
        var entries: [(name: String, kind: mode_t)] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .system(path, "the folder cannot be read") }
                return entries
            }
            let name = directoryEntryName(entry)
            guard name != ".", name != ".." else { continue }
            // A name that is no UTF-8 was repaired, and would look like a file that has just gone.
            guard !name.contains("\u{FFFD}") else {
                throw .io(path: path + "/" + name, reason: "its name is no UTF-8; rename it")
            }
            if let kind = try Self.kind(of: name, in: number, path: path) { entries.append((name, kind)) }
        }
    }

    /// - Returns: nil if it has gone meanwhile.
    private static func kind(of name: String, in folder: Int32, path: String) throws(MainKeyError) -> mode_t? {
        var status = stat()
        guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw .system(path + "/" + name, "it cannot be examined")
        }
        return status.st_mode & S_IFMT
    }
}
