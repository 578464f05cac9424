/// The known answers of one kind of file.
package protocol AnswerList: Sendable {
    /// Whether a file is of this kind, by what is in it.
    static func recognises(_ content: JSON) -> Bool

    /// - Throws: if what all of the file's answers need is missing.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws
}

extension Report {
    /// Checks a file of JSON by the first list that recognises it; none: it is counted as skipped.
    package mutating func check(_ file: AnswerFile, with lists: [any AnswerList.Type]) {
        guard let content = try? file.content() else {
            fail(file.path, "not JSON")
            return
        }
        guard let list = lists.first(where: { $0.recognises(content) }) else {
            skip(file.path, "no check takes a file of this shape (\(file.path))")
            return
        }
        do {
            try list.check(content, file: file, report: &self)
        } catch {
            fail(file.path, "\(error)")
        }
    }
}
