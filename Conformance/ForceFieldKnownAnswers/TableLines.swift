import KnownAnswers

/// Lines of a table, each a list of its columns.
extension AnswerFile {
    /// - Returns: without comments.
    func rows() throws -> [JSON] {
        try text().split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            .array(line.split(separator: "\t", omittingEmptySubsequences: false).map { .string(String($0)) })
        }
    }
}
