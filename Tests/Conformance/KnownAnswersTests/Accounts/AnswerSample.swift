import Foundation
import KnownAnswers
import TestSupport

/// A topic, checked in this process or, where it has the topic alone, by the program `conformance`.
struct Runner: Sendable {
    let name: String
    var topic: (any Topic.Type)?

    static let program = Bundle.main.bundleURL.appending(path: "conformance")

    /// - Returns: nil where there is no program.
    func failures(in folder: URL) throws -> [String]? {
        if let topic {
            var report = Report()
            try topic.run(folder: folder, report: &report)
            return report.failures
        }
        guard FileManager.default.isExecutableFile(atPath: Self.program.path) else { return nil }
        let (status, output) = try Tool.outcome(of: Self.program.path, [name, folder.path])
        let lines = String(decoding: output, as: UTF8.self).split(separator: "\n")
        let failures = lines.filter { $0.hasPrefix("FAIL ") }.map { String($0.dropFirst("FAIL ".count)) }
        // 2 says that nothing could be checked.
        return status == 0 || !failures.isEmpty ? failures : lines.map(String.init)
    }
}

/// A small folder in the format of a topic, which a test may change.
extension TemporaryFolder {
    /// - Parameter files: contents by their paths.
    convenience init(files: [String: Data]) throws {
        try self.init()
        for (path, content) in files { try write(content, to: path) }
    }

    /// - Parameter sources: what to copy, by the paths in the folder.
    convenience init(copies sources: [String: URL]) throws {
        try self.init()
        for (path, source) in sources {
            let place = url.appending(path: path)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: source, to: place)
        }
    }

    func write(_ content: Data, to path: String) throws { try write(Array(content), to: path) }

    /// What a topic says of the folder.
    func report(by topic: any Topic.Type) throws -> Report {
        var report = Report()
        try topic.run(folder: url, report: &report)
        return report
    }
}

/// Something in a folder that no check knows.
enum ForeignThing: String, CaseIterable {
    case file, fileOfJSON, member, nestedMember, row, list, emptyList, brokenJSON, emptyFile

    /// Puts it into a folder.
    ///
    /// - Parameter path: the file of JSON that is changed.
    /// - Returns: what a failure has to name; nil where the file has no place for such a thing.
    func add(to sample: TemporaryFolder, at path: String, _ content: Data) throws -> String? {
        var tree = try JSONSerialization.jsonObject(with: content)
        switch self {
        case .file:
            try sample.write("foreign", to: "foreign.bin")
            return "foreign.bin: no check reads this file"
        case .fileOfJSON:
            try sample.write(#"{"foreign": [{"colour": "blue"}]}"#, to: "foreign.json")
            return "foreign.json: "
        case .member:
            tree = Self.adding("blue", to: tree)
        case .nestedMember:
            guard let changed = Self.addingInside(["deep": 1], to: tree) else { return nil }
            tree = changed
        case .row:
            guard let changed = Self.changingList(of: tree, by: { $0 + [["colour": "blue"]] }) else { return nil }
            tree = changed
            try sample.write(JSONSerialization.data(withJSONObject: tree), to: path)
            return path
        case .list:
            guard var object = tree as? [String: Any] else { return nil }
            object["foreign"] = [["colour": "blue"]]
            tree = object
        case .emptyList:
            guard let changed = Self.changingList(of: tree, by: { _ in [] }) else { return nil }
            try sample.write(JSONSerialization.data(withJSONObject: changed), to: path)
            return path
        case .brokenJSON:
            try sample.write(content.prefix(content.count / 2), to: path)
            return "\(path): not JSON"
        case .emptyFile:
            try sample.write(Data(), to: path)
            return "\(path): not JSON"
        }
        try sample.write(JSONSerialization.data(withJSONObject: tree), to: path)
        return "foreign"
    }

    /// Adds a member to an object, or to the last row of a list.
    private static func adding(_ value: Any, to tree: Any) -> Any {
        if var object = tree as? [String: Any] {
            object["foreign"] = value
            return object
        }
        guard var list = tree as? [Any], let last = list.popLast() else { return tree }
        return list + [adding(value, to: last)]
    }

    /// Adds a member to an object that lies as deep as any.
    private static func addingInside(_ value: Any, to tree: Any) -> Any? {
        if var object = tree as? [String: Any] {
            let inner = object.filter { depth($0.value) > 0 }.max {
                (depth($0.value), $0.key) < (depth($1.value), $1.key)
            }
            guard let inner else { return adding(value, to: tree) }
            object[inner.key] = addingInside(value, to: inner.value)
            return object
        }
        guard var list = tree as? [Any], let place = list.lastIndex(where: { depth($0) > 0 }) else { return nil }
        list[place] = addingInside(value, to: list[place]) ?? list[place]
        return list
    }

    /// How many objects stand within each other.
    private static func depth(_ tree: Any) -> Int {
        if let object = tree as? [String: Any] { return 1 + (object.values.map(depth).max() ?? 0) }
        return (tree as? [Any])?.map(depth).max() ?? 0
    }

    /// Changes the rows of the first list that has rows.
    private static func changingList(of tree: Any, by change: ([Any]) -> [Any]) -> Any? {
        if let list = tree as? [Any] { return change(list) }
        guard var object = tree as? [String: Any] else { return nil }
        for (name, value) in object.sorted(by: { $0.key < $1.key }) {
            guard let list = value as? [Any], list.first is [String: Any] else { continue }
            object[name] = change(list)
            return object
        }
        return nil
    }
}
