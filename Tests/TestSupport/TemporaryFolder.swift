import Foundation

/// A folder of one test, for this user alone, removed with the last who holds it.
package final class TemporaryFolder: Sendable {
    /// Where it is, among the temporary files of the system.
    package let url: URL

    package var path: String { url.path }

    /// - Parameter source: a folder whose content the new one has; nil for an empty one.
    package init(copying source: URL? = nil) throws {
        url = FileManager.default.temporaryDirectory.appending(path: "casemate-\(UUID().uuidString)")
        if let source {
            try FileManager.default.copyItem(at: source, to: url)
        } else {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of what has this name in the folder.
    package func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file for this user alone, and makes the folders above it.
    ///
    /// - Returns: its path.
    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        let file = url.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return file.path
    }

    @discardableResult
    package func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// The text of a file; nil where there is none.
    package func text(of name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Replaces the first place of a text in a file, which has to be there.
    package func replace(_ text: String, with other: String, in name: String) throws {
        let content = self.text(of: name) ?? ""
        guard let place = content.range(of: text) else { throw CocoaError(.fileReadCorruptFile) }
        try write(content.replacingCharacters(in: place, with: other), to: name)
    }

    /// The permission bits of a file; nil where there is none.
    package func mode(of name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path(name))[.posixPermissions]) as? Int
    }

    /// Removes a file or a folder.
    ///
    /// - Returns: whether it was there.
    @discardableResult
    package func remove(_ name: String) -> Bool { (try? FileManager.default.removeItem(atPath: path(name))) != nil }

    /// The names of what is in a folder, sorted; none where there is no such folder.
    package func names(in name: String = ".") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path(name))) ?? []).sorted()
    }
}
