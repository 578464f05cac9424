import ForceFieldWatch
import KnownAnswers

/// Attempts to get out and what stops them, each made for real in a fresh worker.
enum AuditAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        report.check(try file.rows()) { row in
            let columns = row.json.strings
            // The fourth tells what stops the attempt without a filter, on the machine of who wrote it down.
            guard [3, 4].contains(columns.count) else { throw RowError.missing("three columns, or four,") }
            guard AuditProbe.allNames.contains(columns[0]) else {
                throw RowError.missing("an attempt that is made here, not \(columns[0]),")
            }
            guard let probe = AuditProbe.all.first(where: { $0.name == columns[0] }) else {
                return row.skip("\(columns[0]) does not exist on this architecture")
            }
            if let obstacle = LiveWorkers.obstacle { return row.skip(obstacle) }
            let outcome = try Audit.outcome(of: probe, in: LiveWorkers.plan)
            row.expect(columns[0], outcome.shortForm, equals: columns[2])
        }
    }
}

extension AuditOutcome {
    /// The result as the table writes it.
    fileprivate var shortForm: String {
        switch self {
        case .killed: "K"
        case .refused(let errno): "E:\(ErrorNumber.name(errno))"
        case .allowed, .notRun, .failed: "\(self)"
        }
    }
}
