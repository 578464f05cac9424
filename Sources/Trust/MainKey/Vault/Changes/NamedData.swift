import BasicFoundation

/// Files and folders of the application, which a person named for a wipe.
///
/// They are removed by the process that was told them and nowhere written down: no file decides what is removed.
struct NamedData {
    /// The absolute paths of the data.
    let paths: [String]

    init(_ paths: [String]) {
        self.paths = paths.map(FileManager.default.absolutePath)
    }

    func remove() throws(MainKeyError) {
        for path in paths {
            var status = stat()
            // A link is removed, not what it leads to.
            guard lstat(path, &status) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { continue }
                throw .system(path, failure: "it cannot be removed")
            }
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw .io(path: path, reason: "it cannot be removed: \(error.reasonOfSystem)")
            }
        }
    }
}
