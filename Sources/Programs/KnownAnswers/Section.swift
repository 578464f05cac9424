import Foundation

/// How the rows of one kind of list are checked. A list is recognised by its name and by a field that each row has.
package struct Section: Sendable {
    package let name: String
    /// A field of the rows, which tells lists of the same name apart; nil where rows are no objects.
    let field: String?
    let check: @Sendable (inout Row) throws -> Void

    package init(_ name: String, having field: String? = nil, check: @escaping @Sendable (inout Row) throws -> Void) {
        self.name = name
        self.field = field
        self.check = check
    }

    /// A list that this build knows and does not check yet.
    package static func skipped(_ name: String, having field: String? = nil, because reason: String) -> Section {
        Section(name, having: field) { $0.skip(reason) }
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
            guard !rows.isEmpty else { continue }
            guard let section = sections.first(where: { $0.matches(name, rows) }) else {
                for _ in rows { skip("\(file) \(name)", "no check for the list \(name)") }
                continue
            }
            check(rows, of: "\(file) \(name)", folder: folder, section.check)
        }
    }

    /// Checks each row of a list.
    ///
    /// - Parameter list: file and name of the list, as `sr25519.json verify`.
    package mutating func check(
        _ rows: [JSON], of list: String, folder: URL? = nil, _ check: (inout Row) throws -> Void
    ) {
        for (index, json) in rows.enumerated() {
            var row = Row(json, index: index, folder: folder)
            do {
                try check(&row)
                close(row, "\(list)[\(index)]")
            } catch {
                fail("\(list)[\(index)]", "\(error)")
            }
        }
    }

    /// Counts a row that has been checked.
    package mutating func close(_ row: Row, _ name: String) {
        if let reason = row.skipReason {
            skip(name, reason)
        } else if row.mismatches.isEmpty {
            pass()
        } else {
            fail(name, row.mismatches.joined(separator: "; "))
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
                fail(name, "cannot be read: \(error)")
            }
        }
    }
}
