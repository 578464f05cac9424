import BasicFoundation

/// A file among the known answers.
package struct AnswerFile: Sendable {
    package let folder: AnswerFolder
    /// The path relative to the folder of all known answers.
    package let path: String

    init(in folder: AnswerFolder, path: String) {
        self.folder = folder
        self.path = path
    }

    package init(folder: URL, path: String) { self = AnswerFolder(at: folder).file(path) }

    /// The last part of its path.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    package var exists: Bool { FileManager.default.fileExists(atPath: folder.url(of: path).path) }

    package func content() throws -> JSON { try folder.content(of: self) }
    package func bytes() throws -> [UInt8] { Array(try Data(contentsOf: location())) }

    package func text() throws -> String {
        guard let text = String(validating: try bytes(), as: UTF8.self) else { throw RowError.missing("UTF-8") }
        return text
    }

    /// Where it lies, for a library that reads it itself.
    package func location() -> URL { folder.take(path) }

    // MARK: Others that it names

    /// - Parameter name: relative to the file's own folder.
    package func beside(_ name: String) -> AnswerFile {
        folder.file((path.split(separator: "/").dropLast().map(String.init) + [name]).joined(separator: "/"))
    }

    /// - Parameter name: in the folder that lies beside the file and has its name.
    package func inside(_ name: String) -> AnswerFile { beside("\(self.name.prefix { $0 != "." })/\(name)") }

    /// All files in a folder beside this file.
    package func all(in name: String) throws -> [AnswerFile] {
        let prefix = beside(name).path + "/"
        return try folder.paths().filter { $0.hasPrefix(prefix) }.map(folder.file)
    }

    /// - Parameter path: relative to the folder of all known answers.
    package func bytes(of path: String) throws -> [UInt8] { try folder.file(path).bytes() }

    /// What a report calls a part of the file.
    package func name(_ part: String) -> String { "\(path) \(part)" }
}

extension AnswerFile {
    /// The lines of a table, each a list of its columns, without comments.
    package func rows() throws -> JSON {
        let lines = try text().split(separator: "\n").filter { !$0.hasPrefix("#") }
        let rows = lines.map { line in
            JSON.array(line.split(separator: "\t", omittingEmptySubsequences: false).map { .string(String($0)) })
        }
        return folder.keep(.array(rows), of: self)
    }
}
