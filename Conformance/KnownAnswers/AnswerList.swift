/// The known answers of one kind of file.
package protocol AnswerList: Sendable {
    /// Whether a file is of this kind, by what is in it.
    static func recognises(_ content: JSON) -> Bool

    /// The members of a file of this kind, besides ``Row/prose``; nil where they are names of answers, or it is a list.
    static var members: Set<String>? { get }

    /// - Throws: if what all of the file's answers need is missing.
    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws
}

extension AnswerList {
    package static var members: Set<String>? { nil }
}

extension Report {
    /// Checks a file of JSON by the first list that recognises it. It is a failure if none does, or if the file has
    /// more in its head than the list knows: what was added to the answers is never passed over.
    package mutating func check(_ file: AnswerFile, with lists: [any AnswerList.Type]) {
        guard let content = try? file.content() else {
            fail(file.path, because: "not JSON")
            return
        }
        guard let list = lists.first(where: { $0.recognises(content) }) else {
            fail(
                file.path,
                because: "no check takes a file of this shape: this build is older than the file, or its head is wrong")
            return
        }
        if let members = list.members {
            for name in content.object.keys.sorted() where !members.contains(name) && !Row.prose.contains(name) {
                fail(file.path, because: "no check looks at its member \(name)")
            }
        }
        do {
            try list.check(content, file: file, report: &self)
        } catch {
            fail(file.path, because: "\(error)")
        }
    }
}
