import ForceField
import ForceFieldWire
import KnownAnswers

/// The table of what a worker does, the facts that the host then sees, and the verdict: once with the facts as
/// written, where they are those of a process that has ended, and once made to happen.
enum TerminationAnswers {
    @Sendable static func check(_ file: AnswerFile, report: inout Report) throws {
        let rows = try file.rows()
        report.check(rows) { row in
            let columns = row.json.strings
            guard columns.count == 3 else { throw RowError.missing("three columns") }
            guard let facts = try KnownFacts(cause: columns[0], facts: columns[1], verdict: columns[2]) else {
                return row.skip("no facts of a process that has ended: see what happens for real")
            }
            let names: [UInt32: String] = [62: "kill", 101: "ptrace"]
            let verdict = facts.facts.verdict { number, _ in names[number] }
            row.expect(columns[0], verdict.shortForm, equals: columns[2])
        }
        report.check(rows, as: "for real") { row in
            let columns = row.json.strings
            guard columns.count == 3 else { throw RowError.missing("three columns") }
            if let obstacle = LiveWorkers.obstacle { return row.skip(obstacle) }
            switch try LiveEnding.outcome(of: columns[0]) {
            case .ended(let termination): row.expect(columns[0], termination.shortForm, equals: columns[2])
            case .livesOn: row.expect(columns[0], "worker lives on", equals: columns[2])
            case .skipped(let reason): row.skip(reason)
            }
        }
    }
}

extension Termination {
    /// The termination as the table writes it.
    fileprivate var shortForm: String {
        switch self {
        case .clean: "clean"
        case .exited(let code): "exited(\(code))"
        case .crashed(let crash): "crashed(\(crash.shortForm))"
        case .policyViolation(let call): "policyViolation(\(call?.name ?? "unknown"))"
        case .killedByHost(let reason): "killedByHost(\(reason.rawValue))"
        case .killedByOS(let kill): "killedByOS(\(kill.rawValue))"
        case .protocolViolation(.badHeader): "protocolViolation(code)"
        case .protocolViolation(let violation): "protocolViolation(\(violation.rawValue))"
        case .setupFailed(.stage(let stage, errno: 1)): "setupFailed(\(stage.name), EPERM)"
        case .setupFailed(let failure): "setupFailed(\(failure.reason))"
        }
    }
}

extension Termination.Crash {
    fileprivate var shortForm: String {
        let names: [Int32: String] = [4: "SIGILL", 6: "SIGABRT", 11: "SIGSEGV"]
        let name = names[signal] ?? "\(signal)"
        if let hint { return "\(name), hint \(hint.rawValue)" }
        return message == nil ? name : "\(name), message"
    }
}
