import BasicFoundation

/// One kind of known answers. A topic takes any folder in its format: it walks the folder and recognises each file by
/// what is in it. What no check looks at fails, be it a file, a list or a member deep inside; what this machine cannot
/// show, or another topic checks, is counted as skipped, with the reason.
package protocol Topic: Sendable {
    static var name: String { get }
    static var summary: String { get }
    /// The kinds of files of JSON, in the order in which they are asked. A list of its own joins by a line here.
    static var lists: [any AnswerList.Type] { get }
    /// The checks of other files: by their names, or by the ends of these, with the dot. They come behind the lists.
    static var tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] { get }
    /// Makes the libraries ready.
    static func start() throws
}

extension Topic {
    package static var tables: [String: @Sendable (AnswerFile, inout Report) throws -> Void] { [:] }
    package static func start() throws {}

    /// - Parameter others: lists that are asked behind those of the topic.
    package static func run(
        folder url: URL, alsoBy others: [any AnswerList.Type] = [], report: inout Report
    ) throws {
        try start()
        let folder = AnswerFolder(at: url)
        let files = try folder.paths().map(folder.file)
        for file in files where file.name.hasSuffix(".json") { report.check(file, with: lists + others) }
        for file in files {
            let table =
                tables[file.name] ?? tables.first { $0.key.hasPrefix(".") && file.name.hasSuffix($0.key) }?.value
            do { try table?(file, &report) } catch { report.fail(file.path, because: "\(error)") }
        }
        try folder.close(into: &report)
    }
}
