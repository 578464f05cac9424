/// The known answers of one kind of file.
package protocol AnswerList: Sendable {
    /// Whether a file is of this kind, by what is in it.
    static func recognises(_ content: JSON) -> Bool

    /// - Throws: if what all of the file's answers need is missing.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws
}

extension Report {
    /// Checks a file of JSON by the first list that recognises it. It is a failure if none does.
    package mutating func check(_ file: AnswerFile, with lists: [any AnswerList.Type]) {
        let content: JSON
        do {
            content = try file.content()
        } catch {
            return fail(file.path, because: "not JSON: \(error)")
        }
        guard let list = lists.first(where: { $0.recognises(content.unwatched) }) else {
            _ = content.whole
            return fail(
                file.path,
                because: "no check takes a file of this shape: this build is older than the file, or its head is wrong")
        }
        do {
            try list.check(content, file: file, report: &self)
        } catch {
            _ = content.whole
            fail(file.path, because: "\(error)")
        }
    }

    /// Checks each row of a list, or an object as the only row. A list that is missing or empty fails.
    ///
    /// - Parameters:
    ///   - part: what is checked of the rows, where that is not all; for the report.
    ///   - others: members of the rows, by their paths, that are known and not compared here. Who names them says why.
    package mutating func check(
        _ list: JSON, as part: String = "", besides others: Set<String> = [], _ check: (inout Row) throws -> Void
    ) {
        let name = (list.place?.name ?? "") + (part.isEmpty ? "" : " \(part)")
        let rows = list.isList ? list.array : list.isNull ? [] : [list]
        if rows.isEmpty { fail(name, because: "the list is missing or empty") }
        for (index, json) in rows.enumerated() {
            var row = Row(json, index: index)
            let name = list.isList ? "\(name)[\(index)]" : name
            for other in others { json.leave(other) }
            do {
                try check(&row)
                close(row, name)
            } catch {
                fail(name, because: "\(error)")
            }
        }
    }

    /// Checks the lists of a file that have a check, by their names. What else the file has, nobody looks at.
    package mutating func check(_ content: JSON, by checks: [String: RowCheck]) {
        for (name, rows) in checks.sorted(by: { $0.key < $1.key }) where content.has(name) {
            check(content[name], by: rows)
        }
    }

    package mutating func check(_ list: JSON, by rows: RowCheck) { check(list, besides: rows.others, rows.check) }
}

/// How the rows of a list are checked.
package struct RowCheck: Sendable {
    let others: Set<String>
    let check: @Sendable (inout Row) throws -> Void

    /// - Parameter others: members of the rows that are known and not compared here. Who names them says why.
    package init(besides others: Set<String> = [], check: @escaping @Sendable (inout Row) throws -> Void) {
        self.others = others
        self.check = check
    }
}
