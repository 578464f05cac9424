import Foundation

/// A file among the known answers.
package struct AnswerFile {
    private let root: URL
    /// The path relative to the folder of all known answers.
    package let path: String

    package init(folder: URL, path: String) {
        root = folder
        self.path = path
    }

    /// What the names of other files in it are relative to.
    package var folder: URL { root.appending(path: path).deletingLastPathComponent() }

    /// The folder of the same name beside it, where what the file describes may lie.
    package var namesake: URL { root.appending(path: path).deletingPathExtension() }

    package func content() throws -> JSON {
        try JSON(contentsOf: root.appending(path: path))
    }

    package func text() throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// The bytes of a file.
package func bytes(of url: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: url))
}
