import Foundation
import GRDB
import Testing

@testable import Signer

/// What somebody who can write the files, and lacks the key, does to a tree.
enum Tampering: String, CaseIterable {
    case removed, allRemoved, changed, cut, swapped, moved, added, typed, older, foreign, emptied

    static func path(in folder: URL) -> String { folder.appending(path: "vault.sqlite").path }

    static func execute(_ sql: String, _ arguments: StatementArguments = [], in folder: URL) throws {
        try DatabaseQueue(path: path(in: folder)).write { try $0.execute(sql: sql, arguments: arguments) }
    }

    /// Rows as they lie in the file, by their keys.
    static func rows(_ tree: Tree, in folder: URL) throws -> [(key: Data, value: Data)] {
        try DatabaseQueue(path: path(in: folder)).read { connection in
            try Row.fetchAll(connection, sql: "SELECT key, value FROM \"\(tree.rawValue)\" ORDER BY key").map {
                ($0[0], $0[1])
            }
        }
    }

    static func set(_ tree: Tree, _ key: Data, to value: Data, in folder: URL) throws {
        try execute("INSERT OR REPLACE INTO \"\(tree.rawValue)\" VALUES (?, ?)", [key, value], in: folder)
    }

    /// - Parameters:
    ///   - old: rows that the tree had earlier.
    ///   - other: rows that the tree has in another vault.
    func apply(
        to tree: Tree, in folder: URL, old: [(key: Data, value: Data)] = [], other: [(key: Data, value: Data)] = []
    ) throws {
        let rows = try Self.rows(tree, in: folder)
        let (first, last) = (try #require(rows.first), try #require(rows.last))
        let name = "\"\(tree.rawValue)\""
        switch self {
        case .removed: try Self.execute("DELETE FROM \(name) WHERE key = ?", [last.key], in: folder)
        case .allRemoved: try Self.execute("DELETE FROM \(name)", in: folder)
        case .changed:
            var value = last.value
            value[value.index(before: value.endIndex)] ^= 1
            try Self.set(tree, last.key, to: value, in: folder)
        case .cut: try Self.set(tree, first.key, to: Data(first.value.dropLast()), in: folder)
        case .swapped:
            try Self.set(tree, first.key, to: last.value, in: folder)
            try Self.set(tree, last.key, to: first.value, in: folder)
        case .moved:
            let key = Data(last.key.dropLast() + [last.key[last.key.index(before: last.key.endIndex)] ^ 1])
            try Self.execute("UPDATE \(name) SET key = ? WHERE key = ?", [key, last.key], in: folder)
        case .added: try Self.set(tree, Data(last.key + [1]), to: last.value, in: folder)
        case .typed:
            try Self.execute(
                "UPDATE \(name) SET value = CAST(value AS TEXT) WHERE key = ?", [first.key], in: folder)
        case .older:
            let old = try #require(old.first)
            try Self.set(tree, old.key, to: old.value, in: folder)
        case .foreign:
            let other = try #require(other.first)
            try Self.set(tree, other.key, to: other.value, in: folder)
        case .emptied: try Self.execute("DROP TABLE \(name)", in: folder)
        }
    }
}
