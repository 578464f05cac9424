import ForceField
import ForceFieldWire
import KnownAnswers

/// The facts that a row of the table of ended workers tells in words.
struct KnownFacts {
    private(set) var facts = TerminationFacts()

    /// - Parameters:
    ///   - cause: what the worker or the world does, which says why the host kills.
    ///   - facts: what the host sees.
    ///   - verdict: only tells rows about processes that have ended from others.
    /// - Returns: nil for rows that are not about a process that has ended.
    /// - Throws: for facts in words that are not known here.
    init?(cause: String, facts text: String, verdict: String) throws {
        guard !verdict.contains("lives on"), !verdict.contains("left within") else { return nil }
        facts.started = !text.contains("STAGE_FAILED")
        facts.openCalls = cause.contains("while a call is open") ? 1 : 0
        facts.wasAskedToEnd = cause.contains("SHUTDOWN")
        facts.saidGoodbye = text.contains("GOODBYE seen")
        facts.hardCPULimit = text.contains("CPU time") ? .seconds(2) : nil
        facts.outOfMemoryKills = text.contains("oom counter +1") ? 1 : 0
        readExit(text)
        readRecords(text)
        readHostKill(cause: cause, text)
        if let quoted = text.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first {
            facts.stderrTail = Array(quoted.utf8)
        }
        guard facts.exit != nil || facts.hostKill != nil || facts.setupFailure != nil || facts.wardenStatus != nil
        else { throw RowError.missing("facts that are known here, not “\(text)”,") }
    }

    private mutating func readExit(_ text: String) {
        if let match = text.firstMatch(of: #/EXITED(?: status)? exit (\d+)/#), let code = Int32(match.1) {
            facts.exit = WorkerExit(status: .exited(code))
        } else if let match = text.firstMatch(of: #/EXITED signal (\d+)/#), let signal = Int32(match.1) {
            facts.exit = WorkerExit(status: .signalled(signal))
        }
        // What the row's cause says: a loop that goes on until the limit of one second.
        if text.contains("signal 24") {
            facts.hardCPULimit = .seconds(2)
            facts.exit?.userMicroseconds = 1_000_000
        }
        if let match = text.firstMatch(of: #/CPU time >= (\d+)\.(\d) s/#),
            let seconds = UInt64(match.1), let tenths = UInt64(match.2)
        {
            facts.exit?.userMicroseconds = seconds * 1_000_000 + tenths * 100_000
        }
        if text.contains("no EXITED") { facts.wardenStatus = .signalled(9) }
    }

    private mutating func readRecords(_ text: String) {
        if let match = text.firstMatch(of: #/VIOLATION nr (\d+)/#), let number = UInt32(match.1) {
            facts.violation = SystemCallRecord(number: number, architecture: 0xc000_003e)
            // The warden kills after it has reported.
            facts.exit = facts.exit ?? WorkerExit(status: .signalled(9))
        }
        if let match = text.firstMatch(of: #/STAGE_FAILED (\d+), EPERM/#), let number = UInt32(match.1) {
            facts.setupFailure = Stage(rawValue: number).map { .stage($0, errno: 1) }
        }
        if text.contains("LIMIT background") { facts.passedLimit = .background }
        if text.contains("LIMIT lifetime") { facts.passedLimit = .lifetime }
    }

    /// Why the host kills, as the cause says it.
    private mutating func readHostKill(cause: String, _ text: String) {
        let kills: [(String, TerminationFacts.HostKill)] = [
            ("deadline", .reason(.deadline)), ("cancels", .reason(.cancelled)),
            ("malformed frame", .fault), ("closes the channel", .fault),
        ]
        let faults: [(String, ProtocolViolation)] = [
            ("malformed frame", .badHeader), ("closes the channel", .channelClosed),
        ]
        if text.contains("host KILL") || text.contains("alive after") {
            facts.hostKill = kills.first { cause.contains($0.0) }?.1
            facts.fault = faults.first { cause.contains($0.0) }?.1
            facts.exit = facts.exit ?? WorkerExit(status: .signalled(9))
        }
        if cause.contains("never sends HELLO") { facts.setupFailure = .timeout }
        if cause.contains("stale binary") { facts.setupFailure = .interfaceMismatch }
    }
}
