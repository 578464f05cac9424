import Foundation
import SecretMemory

/// One known answer while it is checked: what it holds, and what did not fit.
package struct Row {
    private let content: JSON
    /// The fields that the check has looked at.
    private let looked = LookedAt()
    /// Where it stands in its list.
    package let index: Int
    /// The folder of the file that the row stands in, which the names of other files are relative to; nil where no row
    /// names one.
    package let folder: URL?
    package private(set) var mismatches: [String] = []
    /// Why this build does not check it.
    package private(set) var skipReason: String?

    package init(_ json: JSON, index: Int, folder: URL? = nil) {
        content = json
        self.index = index
        self.folder = folder
    }

    /// The whole row. All of its fields count as looked at then.
    package var json: JSON {
        looked.fields.formUnion(content.object.keys)
        return content
    }

    package subscript(key: String) -> JSON {
        looked.fields.insert(key)
        return content[key]
    }

    /// Fields that tell a reader what the row is about, and no check.
    package static let prose: Set<String> = [
        "comment", "desc", "description", "name", "note", "notes", "reason", "source", "tcId",
    ]

    /// What the row calls itself.
    var identifier: String? { content["id"].string ?? content["name"].string }

    var fields: (all: Set<String>, looked: Set<String>) { (Set(content.object.keys), looked.fields) }

    package mutating func expect<T: Equatable>(_ what: String, _ found: T, equals expected: T) {
        if found != expected { mismatches.append("\(what): expected \(expected), found \(found)") }
    }

    package mutating func skip(_ reason: String) { skipReason = reason }

    /// The bytes of a field that this kind of row must have.
    package func bytes(_ key: String) throws -> [UInt8] {
        guard let bytes = self[key].hex else { throw RowError.missing(key) }
        return bytes
    }

    /// The contents of the file that a field names.
    package func file(_ key: String) throws -> [UInt8] {
        try file(named: text(key))
    }

    package func file(named name: String) throws -> [UInt8] {
        guard let folder else { throw RowError.missing(name) }
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }

    package func text(_ key: String) throws -> String {
        guard let text = self[key].string else { throw RowError.missing(key) }
        return text
    }

    /// The bytes of a field as a secret. (Known answers are public; the interfaces take secrets.)
    package func secret(_ key: String) throws -> SecretBytes {
        try SecretBytes(publicly: bytes(key))
    }
}

/// The fields that a check has looked at, shared by the copies of a row.
private final class LookedAt {
    var fields: Set<String> = []
}

package enum RowError: Error, CustomStringConvertible {
    case missing(String)

    package var description: String {
        switch self {
        case .missing(let key): "the field \(key) is missing or malformed"
        }
    }
}

extension SecretBytes {
    package convenience init(publicly bytes: [UInt8]) throws {
        var bytes = bytes
        try self.init(movingFrom: &bytes)
    }

    /// The content, to compare with a known answer.
    package var revealed: [UInt8] { withUnsafeBytes { Array($0) } }
}
