import SecretMemory

/// One known answer while it is checked: what it holds, and what did not fit.
package struct Row {
    package let json: JSON
    /// Where it stands in its list.
    package let index: Int
    package private(set) var mismatches: [String] = []
    /// Why this build does not check it.
    package private(set) var skipReason: String?

    package init(_ json: JSON, index: Int = 0) {
        self.json = json
        self.index = index
    }

    package subscript(key: String) -> JSON { json[key] }

    /// What the row calls itself, which counts for no look at it.
    var identifier: String? { json.unwatched["id"].string ?? json.unwatched["name"].string }

    package mutating func expect<T: Equatable>(_ what: String, _ found: T, equals expected: T) {
        if found != expected { mismatches.append("\(what): expected \(expected), found \(found)") }
    }

    /// Leaves the row unchecked. Members that only such rows have are looked at by nobody.
    package mutating func skip(_ reason: String) { skipReason = reason }
}

// MARK: Members that this kind of row must have

extension Row {
    /// What a case is called, for the report.
    package var id: String { self["id"].string ?? "case \(index)" }

    package func bytes(_ key: String) throws -> [UInt8] { try present(self[key].hex, key) }
    package func base64(_ key: String) throws -> [UInt8] { try present(self[key].base64, key) }
    package func text(_ key: String) throws -> String { try present(self[key].string, key) }
    package func flag(_ key: String) throws -> Bool { try present(self[key].bool, key) }

    /// A number that fits its type.
    package func integer<I: FixedWidthInteger>(_ key: String, as type: I.Type = I.self) throws -> I {
        try present(self[key].int.flatMap { I(exactly: $0) }, key)
    }

    /// One of a few words.
    package func choice<Choice>(_ key: String, _ choices: KeyValuePairs<String, Choice>) throws -> Choice {
        let word = self[key].string
        guard let choice = choices.first(where: { $0.key == word }) else {
            throw RowError.missing("\(key), which is none of \(choices.map(\.key).joined(separator: ", ")),")
        }
        return choice.value
    }

    /// The bytes of a field as a secret. (Known answers are public; the interfaces take secrets.)
    package func secret(_ key: String) throws -> SecretBytes { try SecretBytes(copying: bytes(key)) }

    /// The UTF-8 of a field as a secret.
    package func secretText(_ key: String) throws -> SecretBytes { try SecretBytes(copying: Array(text(key).utf8)) }

    /// The contents of the file beside the row's own that a field names.
    package func file(_ key: String) throws -> [UInt8] { try file(named: text(key)) }
    package func file(named name: String) throws -> [UInt8] { try ownFile.beside(name).bytes() }

    /// The file that the row stands in.
    package var ownFile: AnswerFile { get throws { try present(json.place?.file, "a file") } }

    private func present<Value>(_ value: Value?, _ key: String) throws -> Value {
        guard let value else { throw RowError.missing(key) }
        return value
    }
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
    /// Makes a secret of what everybody may know.
    package convenience init(publicText text: String) throws { try self.init(copying: Array(text.utf8)) }

    /// The content, to compare with a known answer.
    package var revealed: [UInt8] { withUnsafeBytes { Array($0) } }
    package var publicText: String { String(decoding: revealed, as: UTF8.self) }
}
