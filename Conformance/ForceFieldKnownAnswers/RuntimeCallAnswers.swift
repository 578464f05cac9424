import KnownAnswers

/// Calls that Swift programs made outside of any sandbox: what the profile was made from, with nothing expected. Only
/// its form is looked at: program, linking, phase, and `call:count` for each call.
enum RuntimeCallAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        for row in try file.rows().rows.map(\.strings) {
            let calls = row.last?.split(separator: " ").map { $0.split(separator: ":") } ?? []
            let isRow =
                row.count == 4 && ["start", "after main began"].contains(row[2])
                && !calls.isEmpty && calls.allSatisfy { $0.count == 2 && UInt($0[1]) != nil }
            guard isRow else { throw RowError.missing("a row of calls in “\(row.joined(separator: " "))”") }
        }
        report.skip(
            file.path, because: "calls that were observed, from which the profile was made: nothing is expected of them"
        )
    }
}
