import KnownAnswers
import SecretMemory

extension Row {
    /// What a case is called, for the report.
    var id: String { self["id"].string ?? "case \(index)" }

    func integer(_ key: String) throws -> Int {
        guard let value = self[key].int else { throw RowError.missing(key) }
        return value
    }

    func flag(_ key: String) throws -> Bool {
        guard let value = self[key].bool else { throw RowError.missing(key) }
        return value
    }

    /// The UTF-8 of a field as a secret. (Known answers are public; the interfaces take secrets.)
    func secretText(_ key: String) throws -> SecretBytes { try SecretBytes(publicly: Array(text(key).utf8)) }

    /// An object inside the row may have these members and no others: what was added to the answers is never passed
    /// over.
    mutating func expectMembers(of object: JSON, _ what: String, _ known: Set<String>) {
        let unknown = object.object.keys.filter { !known.contains($0) }.sorted()
        expect("members of \(what) that no check looks at", unknown, equals: [])
    }
}

extension Report {
    /// Checks the rows of a list that a file has in its head.
    ///
    /// - Parameters:
    ///   - name: of the list; an absent or empty one fails.
    ///   - content: of the file.
    ///   - others: fields that explain a row and are not compared.
    mutating func check(
        _ name: String, in content: JSON, of file: AnswerFile, besides others: Set<String> = ["id"],
        _ body: (inout Row) throws -> Void
    ) {
        let rows = content[name].array
        guard !rows.isEmpty else { return fail("\(file.path) \(name)", because: "the list is missing or empty") }
        check(rows, of: "\(file.path) \(name)", folder: file.folder, besides: others, body)
    }
}

/// The code of the error that `body` throws; nil if it throws none.
func code(_ codeOf: (any Error) -> String?, _ body: () throws -> some Any) -> String? {
    do {
        _ = try body()
        return nil
    } catch {
        return codeOf(error) ?? "\(error)"
    }
}
