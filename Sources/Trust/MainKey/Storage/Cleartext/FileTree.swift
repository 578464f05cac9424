import Files

/// Removes folders with all that is in them, never leaving them by a symbolic link.
enum FileTree {
    /// The most folders within each other; deeper ones are an error, for nothing here makes any.
    private static let mostLevels = 16

    /// Removes what has this name in a folder, and lets nothing stay that can be removed.
    ///
    /// - Parameter overwriting: puts zeros over files first, for those that are on a disk.
    static func remove(_ name: String, in directory: PrivateDirectory, overwriting: Bool) throws(MainKeyError) {
        try remove(name, in: directory.folder, overwriting: overwriting, level: 0)
    }

    private static func remove(
        _ name: String, in parent: Folder, overwriting: Bool, level: Int
    ) throws(MainKeyError) {
        guard level < mostLevels else {
            throw .io(path: parent.path(of: name).string, reason: "folders lie too deep in it; remove it")
        }
        let folder: Folder
        do throws(FileError) {
            guard let opened = try parent.folder(name) else { return }
            folder = opened
        } catch {
            return try removeFile(name, in: parent, overwriting: overwriting)
        }
        var firstFailure: MainKeyError?
        for entry in try onDisk(try folder.names()) {
            do throws(MainKeyError) {
                try remove(entry, in: folder, overwriting: overwriting, level: level + 1)
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        if let firstFailure { throw firstFailure }
        try onDisk(try parent.removeFolder(name))
    }

    private static func removeFile(_ name: String, in folder: Folder, overwriting: Bool) throws(MainKeyError) {
        // What cannot be overwritten is removed all the same.
        if overwriting { try? folder.open(name, for: .writeOnly, rules: .anything)?.overwriteWithZeros() }
        try onDisk(try folder.remove(name))
    }
}
