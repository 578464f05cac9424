import BasicFoundation
import Files

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
        guard let resolved = FileManager.default.resolvedPath(path) else {
            throw .system(path, failure: "the folder cannot be read")
        }
        root = resolved
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
                switch entry.type {
                case .regular: files.append(path)
                case .directory: folders.append((path, folder.level + 1))
                default: break
                }
            }
        }
        return files.sorted()
    }

    func full(_ path: String) -> String { path.isEmpty ? root : root + "/" + path }

    private func entries(of folder: String) throws(MainKeyError) -> [(name: String, type: FileType)] {
        let open = try onDisk(try Folder(FilePath(full(folder))))
        var entries: [(name: String, type: FileType)] = []
        for name in try onDisk(try open.names()) {
            // A name that is no UTF-8 was repaired, and would look like a file that has just gone.
            guard !name.contains("\u{FFFD}") else {
                throw .io(path: open.path(of: name).string, reason: "its name is no UTF-8; rename it")
            }
            // One that is missing has gone meanwhile.
            if let facts = try onDisk(try open.facts(of: name)) { entries.append((name, facts.type)) }
        }
        return entries
    }
}
