import Foundation
import KnownAnswers
import SecretMemory

/// One known answer while it is checked: what it holds, and what did not fit.
struct Row {
    let json: JSON
    /// Where it stands in its list.
    let index: Int
    /// That of the file it stands in, which the names of other files are relative to; nil where no row names one.
    let folder: URL?
    private(set) var mismatches: [String] = []
    /// Why this build does not check it.
    private(set) var skipReason: String?

    init(_ json: JSON, index: Int, folder: URL? = nil) {
        self.json = json
        self.index = index
        self.folder = folder
    }

    subscript(key: String) -> JSON { json[key] }

    mutating func expect<T: Equatable>(_ what: String, _ found: T, equals expected: T) {
        if found != expected { mismatches.append("\(what): expected \(expected), found \(found)") }
    }

    mutating func skip(_ reason: String) { skipReason = reason }

    /// The bytes of a field that this kind of row must have.
    func bytes(_ key: String) throws -> [UInt8] {
        guard let bytes = json[key].hex else { throw RowError.missing(key) }
        return bytes
    }

    /// The contents of the file that a field names.
    func file(_ key: String) throws -> [UInt8] {
        try file(named: text(key))
    }

    func file(named name: String) throws -> [UInt8] {
        guard let folder else { throw RowError.missing(name) }
        return Array(try Data(contentsOf: folder.appending(path: name)))
    }

    func text(_ key: String) throws -> String {
        guard let text = json[key].string else { throw RowError.missing(key) }
        return text
    }

    /// The bytes of a field as a secret. (Known answers are public; the interfaces take secrets.)
    func secret(_ key: String) throws -> SecretBytes {
        try SecretBytes(publicly: bytes(key))
    }
}

enum RowError: Error, CustomStringConvertible {
    case missing(String)

    var description: String {
        switch self {
        case .missing(let key): "the field \(key) is missing or malformed"
        }
    }
}

extension SecretBytes {
    convenience init(publicly bytes: [UInt8]) throws {
        var bytes = bytes
        try self.init(movingFrom: &bytes)
    }
}
