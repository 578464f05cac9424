import ForceField
import ForceFieldWatch
import ForceFieldWire
import Foundation
import KnownAnswers
import Scheduling

/// A row of the table of endings, made to happen.
enum LiveEnding {
    enum Outcome {
        case ended(Termination)
        case livesOn
        /// The ending cannot be made to happen here.
        case skipped(String)
    }

    /// - Parameter cause: the row's first column.
    static func outcome(of cause: String) throws -> Outcome {
        guard let scene = scenes.first(where: { cause.hasPrefix($0.cause) }) else {
            throw RowError.missing("a way to make this happen, \(cause),")
        }
        return try scene.play()
    }

    private static let scenes: [(cause: String, play: @Sendable () throws -> Outcome)] = [
        (
            "exit(0) after SHUTDOWN",
            { try served(.echo) { _ = try $0.call(echo, body: [1], maxReply: 1, deadline: nil) } }
        ),
        (
            "exit(0) while a call is open",
            { try served(.exitInCall) { _ = try $0.call(echo, body: [], maxReply: 1, deadline: nil) } }
        ),
        ("exit(7) when idle", { try obeyed(.exit, argument: 7) }),
        ("nil unwrap", { try obeyed(.unwrapNil) }),
        ("fatalError", { try obeyed(.fatalError) }),
        ("abort()", { try obeyed(.abort) }),
        ("write to address 8", { try obeyed(.writeToAddress8) }),
        ("endless recursion", { try obeyed(.recurse) }),
        ("endless loop", { try obeyed(.spin) { $0.limits.cpuSeconds = 1 } }),
        ("ignores SIGXCPU", { try obeyed(.spinWithoutSignal) { $0.limits.cpuSeconds = 1 } }),
        ("Swift array grows", { try obeyed(.allocate) { $0.limits.memoryBytes = 512 << 20 } }),
        ("the same in a memory cgroup", { .skipped("needs a memory cgroup that may be written") }),
        ("ptrace(), filter with notify", { try attempted("proc_ptrace_me") }),
        ("ptrace(), filter without notify", { try attempted("proc_ptrace_me") { $0.layersOff = [.violationReports] } }),
        ("int 0x80", { try attempted("abi_int80") }),
        ("kill(getpid()", { try obeyed(.signalItself) }),
        ("never answers", { try called(.neverAnswer, deadline: .milliseconds(200)) }),
        ("stops itself with SIGSTOP", { try called(.stopInCall, deadline: .milliseconds(200)) }),
        ("caller cancels, worker answers", { try cancelled(.answerCancel, grace: patience) }),
        ("caller cancels, worker silent", { try cancelled(.neverAnswer, grace: .milliseconds(250)) }),
        ("host enters background", { try commanded({ $0.send(.background(grace: .milliseconds(50))) }) }),
        ("lifetime passes", { try lived() }),
        ("host dies by SIGKILL", { .skipped("needs a host that may be killed; the tests of CForceField have one") }),
        ("administrator sends SIGKILL to the worker", { try commanded(killWorker) }),
        (
            "administrator sends SIGKILL to the warden",
            { try commanded({ if let warden = $0.warden { kill(warden, SIGKILL) } }) }
        ),
        ("malformed frame", { try called(.sendDamagedFrame, deadline: nil) }),
        ("closes the channel and runs on", { try called(.closeChannel, deadline: nil) }),
        ("user namespaces forbidden", { .skipped("needs a machine that forbids user namespaces") }),
        ("never sends HELLO", { try served(.silence, startTime: .seconds(2)) { _ in } }),
        ("stale binary", { try served(.otherInterface) { _ in } }),
    ]

    private static let echo = MethodID(name: "echo")
    private static let nothing: @Sendable (WatchedWorker) -> Void = { _ in }
    /// How long a worker may take for what it does at its own pace: more than any machine needs, so that how busy this
    /// one is decides nothing.
    private static let patience = Duration.seconds(300)

    // MARK: Ways to bring an end about

    /// A worker that obeys one command and says nothing.
    private static func obeyed(
        _ command: WorkerCommand, argument: UInt32 = 0, _ change: (inout WorkerPlan) -> Void = { _ in }
    ) throws -> Outcome {
        try commanded({ $0.send(command, argument) }, change)
    }

    private static func attempted(_ name: String, _ change: (inout WorkerPlan) -> Void = { _ in }) throws -> Outcome {
        guard let probe = AuditProbe.all.first(where: { $0.name == name }) else {
            return .skipped("this architecture has no such call")
        }
        return try obeyed(.attempt, argument: UInt32(probe.index), change)
    }

    /// A worker that something is done to once it has started.
    private static func commanded(
        _ act: (WatchedWorker) -> Void, _ change: (inout WorkerPlan) -> Void = { _ in }
    ) throws -> Outcome {
        var plan = LiveWorkers.plan
        change(&plan)
        let worker = try WatchedWorker(plan)
        let deadline = SteadyInstant.now + patience
        while true {
            switch worker.next(before: deadline) {
            case .started: act(worker)
            case .timeout: worker.kill(.reason(.deadline))
            case .ended: return .ended(worker.report.termination)
            default: continue
            }
        }
    }

    /// A worker that does nothing until its lifetime is over. One that was not started by then had none, and another
    /// has longer.
    private static func lived() throws -> Outcome {
        for seconds in [1, 30] as [Int64] {
            let outcome = try commanded(nothing, { $0.lifetime = .seconds(seconds) })
            if case .ended(.setupFailed) = outcome { continue }
            return outcome
        }
        return try commanded(nothing, { $0.lifetime = patience })
    }

    /// A worker that speaks FF1.
    private static func served(
        _ command: WorkerCommand, startTime: Duration = patience, _ body: (CallSession) throws -> Void
    ) throws -> Outcome {
        let worker = try WatchedWorker(LiveWorkers.plan)
        worker.send(command)
        var terms = ChannelTerms(interfaceHash: try Interface([Method<[UInt8], [UInt8]>("echo").signature]).hash)
        terms.closedTime = .milliseconds(250)
        let session = CallSession(worker, terms: terms)
        if session.begin(within: startTime) {
            try body(session)
            session.end(grace: patience)
        } else {
            session.finish()
        }
        return .ended(worker.report.termination)
    }

    private static func called(_ command: WorkerCommand, deadline: Duration?) throws -> Outcome {
        try served(command) { _ = try $0.call(echo, body: [], maxReply: 1, deadline: deadline) }
    }

    private static func cancelled(_ command: WorkerCommand, grace: Duration) throws -> Outcome {
        var answer: CallSession.Outcome?
        let outcome = try served(command) { answer = try $0.callAndCancel(echo, grace: grace) }
        if case .error(.cancelled, _)? = answer { return .livesOn }
        return outcome
    }

    /// The warden's child, by the kernel's list.
    private static func killWorker(_ worker: WatchedWorker) {
        guard let warden = worker.warden,
            let children = try? String(contentsOfFile: "/proc/\(warden)/task/\(warden)/children", encoding: .utf8),
            let child = children.split(separator: " ").first.flatMap({ Int32($0) })
        else { return }
        kill(child, SIGKILL)
    }
}
