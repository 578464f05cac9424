import Foundation
import KnownAnswers

/// A file among the known answers.
struct AnswerFile {
    private let root: URL
    /// Relative to the folder of all known answers.
    let path: String

    init(folder: URL, path: String) {
        root = folder
        self.path = path
    }

    /// What the names of other files in it are relative to.
    var folder: URL { root.appending(path: path).deletingLastPathComponent() }

    /// The folder of the same name beside it, where what the file describes may lie.
    var namesake: URL { root.appending(path: path).deletingPathExtension() }

    func content() throws -> JSON {
        try JSON(contentsOf: root.appending(path: path))
    }

    func text() throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
}

/// The bytes of a file.
func bytes(of url: URL) throws -> [UInt8] {
    Array(try Data(contentsOf: url))
}
