import KnownAnswers
import MainKey

/// When a vault locks by itself. The wall clock of the steps is not looked at, which is what some of them are for.
enum AutolockAnswers: AnswerList {
    static func recognises(_ content: JSON) -> Bool { content["cases"].has("minutes", "mode", "steps") }

    static func check(_ content: JSON, file: AnswerFile, report: inout Report) throws {
        let events =
            "unlock | background | foreground | access | timer | resume | scopeEnd | osLock | lock | set:<minutes>"
        guard content["events"].string == events else { throw RowError.missing("the events that are known here") }
        // The wall clock is what an answer must not depend on.
        report.check(content["cases"], besides: ["steps[].wall_ms"], check)
    }

    private static func check(_ row: inout Row) throws {
        let mode: AutolockState.Mode
        switch try row.text("mode") {
        case "foreground": mode = .foreground
        case "idle": mode = .idle
        default: throw RowError.missing("mode")
        }
        guard let timeout = AutolockTimeout(rawValue: try row.integer("minutes")) else {
            throw RowError.missing("minutes")
        }
        var state = AutolockState(mode: mode, timeout: timeout)
        for (index, step) in row["steps"].rows.enumerated() {
            guard let event = event(step["event"].string ?? ""), let now = step["boot_ms"].int else {
                throw RowError.missing("step \(index)")
            }
            state.handle(event, at: UInt64(now))
            row.expect("step \(index)", state.isUnlocked ? "unlocked" : "locked", equals: step["expect"].string)
        }
    }

    private static func event(_ name: String) -> AutolockState.Event? {
        switch name {
        case "unlock": .unlock
        case "background": .background
        case "foreground": .foreground
        case "access": .access
        case "scopeEnd": .scopeEnd
        case "timer": .timer
        case "resume": .resume
        case "osLock": .systemLock
        case "sleep": .sleep
        case "lock": .lock
        case let name where name.hasPrefix("set:"):
            Int(name.dropFirst("set:".count)).flatMap(AutolockTimeout.init(rawValue:)).map { .set($0) }
        default: nil
        }
    }
}
