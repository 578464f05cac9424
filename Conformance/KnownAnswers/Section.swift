import Foundation

/// How the rows of one kind of list are checked. A list is recognised by its name and by a field that each row has.
package struct Section: Sendable {
    package let name: String
    /// A field of the rows, which tells lists of the same name apart; nil where rows are no objects.
    let field: String?
    /// Fields of the rows that are known and not compared.
    let others: Set<String>
    let check: @Sendable (inout Row) throws -> Void

    package init(
        _ name: String, having field: String? = nil, besides others: Set<String> = [],
        check: @escaping @Sendable (inout Row) throws -> Void
    ) {
        self.name = name
        self.field = field
        self.others = others
        self.check = check
    }

    func matches(_ name: String, _ rows: [JSON]) -> Bool {
        self.name == name && (field.map { !(rows.first?[$0].isNull ?? true) } ?? true)
    }
}

extension Report {
    /// Checks every list in a file that a section knows.
    ///
    /// - Parameter folder: that of the file.
    package mutating func check(_ json: JSON, file: String, folder: URL, with sections: [Section]) {
        // A file that is one list has no name for it.
        let lists = json.array.isEmpty ? json.object : ["": json]
        for (name, value) in lists.sorted(by: { $0.key < $1.key }) {
            // Published lists are wrapped: {source, vectors}.
            let rows = value["vectors"].isNull ? value.array : value["vectors"].array
            // Text beside the lists explains them.
            if value.string != nil { continue }
            guard let section = sections.first(where: { $0.matches(name, rows) }), !rows.isEmpty else {
                fail("\(file) \(name)", because: "no check for a list of this name and shape")
                continue
            }
            check(rows, of: "\(file) \(name)", folder: folder, besides: section.others, section.check)
        }
    }

    /// Checks each row of a list. A field that the check looks at in none of them is one that this build does not know:
    /// that fails.
    ///
    /// - Parameters:
    ///   - list: file and name of the list, as `sr25519.json verify`.
    ///   - others: fields that are known and not compared here, besides ``Row/prose``.
    package mutating func check(
        _ rows: [JSON], of list: String, folder: URL? = nil, besides others: Set<String> = [],
        _ check: (inout Row) throws -> Void
    ) {
        var unknown: Set<String> = []
        var looked = others.union(Row.prose)
        defer {
            for field in unknown.subtracting(looked).sorted() {
                fail(list, because: "no check looks at the field \(field) of its rows")
            }
        }
        for (index, json) in rows.enumerated() {
            var row = Row(json, index: index, folder: folder)
            do {
                try check(&row)
                close(row, "\(list)[\(index)]")
            } catch {
                fail("\(list)[\(index)]", because: "\(error)")
            }
            let fields = row.fields
            unknown.formUnion(fields.all)
            // What is not checked here is not compared here either.
            looked.formUnion(row.skipReason == nil ? fields.looked : fields.all)
        }
    }

    /// Checks every JSON file below `folder`.
    package mutating func checkFiles(in folder: URL, _ body: (inout Report, String, JSON) throws -> Void) throws {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
        for file in files ?? [] {
            let name = String(file.path.dropFirst(folder.path.count).drop { $0 == "/" })
            do {
                try body(&self, name, JSON(contentsOf: file))
            } catch {
                fail(name, because: "cannot be read: \(error)")
            }
        }
    }
}
