import BasicFoundation
import Synchronization

/// The folder of a topic. All that a topic reads it reads through this, so that at the end no file, and nothing in one,
/// was passed over.
package final class AnswerFolder: Sendable {
    private let root: URL
    private let account = Mutex<Account>(Account())

    private struct Account {
        /// Paths of files that were read, or given to a library that reads them.
        var read: Set<String> = []
        var contents: [String: JSON] = [:]
        /// What is wrong in the files' form, by where.
        var complaints: [String: Set<String>] = [:]
    }

    package init(at url: URL) { root = url }

    /// Paths of all files, sorted.
    package func paths() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).sorted().filter { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: root.appending(path: path).path)
            return attributes[.type] as? FileAttributeType != .typeDirectory
        }
    }

    /// - Parameter path: relative to the folder, also one that leads out of it.
    package func file(_ path: String) -> AnswerFile {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
        }
        return AnswerFile(in: self, path: parts.joined(separator: "/"))
    }

    func url(of path: String) -> URL { root.appending(path: path).standardizedFileURL }

    /// The place of a file in the file system; it counts as read then.
    func take(_ path: String) -> URL {
        _ = account.withLock { $0.read.insert(path) }
        return url(of: path)
    }

    /// The content of a file of JSON, which all that ask for it share.
    func content(of file: AnswerFile) throws -> JSON {
        if let known = account.withLock({ $0.contents[file.path] }) { return known }
        return keep(try JSON(parsing: file.bytes()), of: file)
    }

    /// The content of a file, whatever it was written as, of which it is remembered what was looked at.
    func keep(_ content: JSON, of file: AnswerFile) -> JSON {
        let content = JSON(content.content, at: Place(file))
        account.withLock { $0.contents[file.path] = content }
        return content
    }

    func complain(_ name: String, because reason: String) {
        _ = account.withLock { $0.complaints[name, default: []].insert(reason) }
    }

    /// Files that explain the others.
    private static let explanation = "README.md"

    /// Fails every file that no check has read, and everything in a file that no check has looked at.
    package func close(into report: inout Report) throws {
        let account = account.withLock { $0 }
        for path in try paths() where !account.read.contains(path) && file(path).name != Self.explanation {
            report.fail(path, because: "no check reads this file")
        }
        closeContents(into: &report)
    }

    /// Fails everything in the files that were read that no check has looked at.
    package func closeContents(into report: inout Report) {
        let account = account.withLock { $0 }
        let contents = account.contents.filter { !$0.key.hasPrefix("../") }
        for (_, content) in contents.sorted(by: { $0.key < $1.key }) {
            for path in content.place?.missed(in: content.content).sorted() ?? [] {
                report.fail("\(content.place?.name ?? "")", because: "no check looks at its member \(path)")
            }
        }
        for (name, reasons) in account.complaints.sorted(by: { $0.key < $1.key }) {
            report.fail(name, because: reasons.sorted().joined(separator: "; "))
        }
    }
}
