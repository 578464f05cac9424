import BasicFoundation
import Files

/// The names under which a vault may list the file at a path: the path as it was given, made absolute, and the one that
/// leads there without links.
///
/// The first counts as well as the second: whoever puts a link in the place of a folder does not get around the list.
enum ListedFileName {
    /// - Returns: UTF-8, without `.` among its components.
    static func absolute(_ path: String) -> String {
        guard !FilePath(path).components.contains(where: { $0.kind == .parentDirectory }) else {
            // What `..` leads to, only the system knows.
            return FileManager.default.resolvedPath(path)
                ?? FilePath(FileManager.default.absolutePath(path)).lexicallyNormalized().string
        }
        return FilePath(FileManager.default.absolutePath(path)).lexicallyNormalized().string
    }

    static func all(ofFileAt path: String) -> [FileList.Name] {
        let absolute = absolute(path)
        guard let resolved = FileManager.default.resolvedPath(path), !resolved.isSpelled(like: absolute) else {
            return [Array(absolute.utf8)]
        }
        return [Array(absolute.utf8), Array(resolved.utf8)]
    }

    /// Whether a name is where its file lies, and not one that an application chose.
    static func isPath(_ name: FileList.Name) -> Bool { name.first == UInt8(ascii: "/") }
}
