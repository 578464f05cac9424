import Foundation

/// Removes folders with all that is in them, never leaving them by a symbolic link.
enum FileTree {
    /// The most folders within each other; deeper ones are an error, for nothing here makes any.
    private static let mostLevels = 16

    /// Removes what has this name in a folder, and lets nothing stay that can be removed.
    ///
    /// - Parameter overwriting: puts zeros over files first, for those that are on a disk.
    static func remove(_ name: String, in directory: PrivateDirectory, overwriting: Bool) throws(MainKeyError) {
        try remove(name, in: directory.descriptor.number, path: directory.pathOf(name), overwriting, level: 0)
    }

    private static func remove(
        _ name: String, in directory: Int32, path: String, _ overwriting: Bool, level: Int
    ) throws(MainKeyError) {
        guard level < mostLevels else { throw .io(path: path, reason: "folders lie too deep in it; remove it") }
        let number = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard number >= 0 else {
            if errno == ENOENT { return }
            return try removeFile(name, in: directory, path: path, overwriting)
        }
        guard let stream = fdopendir(number) else {
            let failure = MainKeyError.system(path, "it cannot be read")
            close(number)
            throw failure
        }
        defer { closedir(stream) }
        var firstFailure: MainKeyError?
        for entry in names(in: stream) {
            do throws(MainKeyError) {
                try remove(entry, in: number, path: path + "/" + entry, overwriting, level: level + 1)
            } catch {
                firstFailure = firstFailure ?? error
            }
        }
        if let firstFailure { throw firstFailure }
        guard unlinkat(directory, name, AT_REMOVEDIR) == 0 || errno == ENOENT else {
            throw .system(path, "it cannot be removed")
        }
    }

    private static func names(in stream: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = directoryEntryName(entry)
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    private static func removeFile(
        _ name: String, in directory: Int32, path: String, _ overwriting: Bool
    ) throws(MainKeyError) {
        if overwriting {
            let number = openat(directory, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            // What cannot be overwritten is removed all the same.
            if number >= 0 {
                try? PrivateDirectory.overwrite(number, path: path)
                close(number)
            }
        }
        guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else { throw .system(path, "it cannot be removed") }
    }
}
