import CForceField
import ForceField
import ForceFieldWire
import Glibc
import Scheduling

/// One worker under one thread's eyes: what happens to it is asked for, one thing after the other.
///
///     let worker = try WatchedWorker(plan)
///     while true {
///         switch worker.next(before: deadline) { … case .ended: return worker.report }
///     }
///
/// The library's own workers have a host that serves many at a time. This is for programs that look at a single one,
/// with layers taken off or with a filter that only reports.
package final class WatchedWorker {
    /// What the worker has in its hands, as the host sees it.
    private let ends: cforcefield_spawned
    private let plan: WorkerPlan
    private let began = SteadyInstant.now
    private let startedMicroseconds: UInt64
    private var facts = TerminationFacts()
    private var control = ControlConversation()
    private var started: WardenReport.Started?
    private var wardenPID: Int32?
    private var processes: WardenProcesses
    private var isControlOpen = true
    private var outputs: WatchedOutputs
    /// When the worker is killed for having ended its channel inside a frame.
    private var faultLimit: SteadyInstant?
    private var isEnded = false
    private var wall = Duration.zero
    /// Calls that the filter would have killed the worker for, in report mode.
    package private(set) var violations = ForbiddenCalls()

    package enum Output: Sendable {
        case standard
        case error
    }

    package enum Event: Hashable {
        /// The lock is complete, and the worker's own code runs.
        case started
        case output(Output, [UInt8])
        /// The channel can be read, or has ended.
        case channelReadable
        case channelWritable
        /// A forbidden call, in report mode.
        case reported(Termination.ForbiddenCall)
        /// The worker's process is gone; ``report`` says how.
        case ended
        case timeout
    }

    /// - Throws: ``WatchError``
    package init(_ plan: WorkerPlan) throws(WatchError) {
        self.plan = plan
        let policy = try plan.policy()
        let files = try WorkerFiles(of: plan)
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        startedMicroseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000

        ends = try files.spawn(policy, words: plan.words)
        processes = WardenProcesses(launcher: ends.process)
        outputs = WatchedOutputs(ends)
        facts.hardCPULimit = plan.limits.hardCPULimit
        facts.memoryLimitBytes = plan.limits.memoryBytes
    }

    deinit {
        if !isEnded {
            // The warden ends with its control channel, and the worker with it.
            close(ends.control)
            _ = processes.reap()
        }
        close(ends.channel)
        outputs.closeAll()
        processes.closeDescriptor()
    }

    package var channel: Int32 { ends.channel }
    /// Whether the order to kill the worker was given, whether or not it is gone yet.
    package var isBeingKilled: Bool { processes.isBeingKilled }
    package var isStarted: Bool { started != nil }
    /// Number of stage 0, and of its and the warden's group.
    var launcher: Int32 { processes.launcher }
    package var layers: LayerSet { started?.layers ?? LayerSet([]) }
    /// The warden's process ID in the host's namespace; nil before it is known.
    package var warden: Int32? { wardenPID }
    package var setupNanoseconds: UInt64 { started?.setupNanoseconds ?? 0 }

    /// Waits for the next thing to happen.
    ///
    /// - Parameters:
    ///   - deadline: nil to wait for ever.
    ///   - channel: poll events of the channel that are of interest.
    package func next(before deadline: SteadyInstant?, channel interest: Int32 = 0) -> Event {
        while true {
            if isEnded { return .ended }
            if !isControlOpen, outputs.open.isEmpty { return end() }
            let sources = sources(interest)
            var requests = sources.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
            let count = poll(&requests, nfds_t(requests.count), timeout(before: deadline))
            if count < 0 && errno == EINTR { continue }
            // Times count although something is always ready: a worker that floods must not stop the clock.
            if let limit = processes.forceLimit, limit <= .now { processes.killByForce() }
            if let limit = faultLimit, limit <= .now {
                faultLimit = nil
                kill(.fault)
            }
            if isTimeUp(deadline) { return .timeout }
            if count <= 0 {
                // No process of ours is left that could write; what still holds the pipe is none of ours.
                if !isControlOpen { return end() }
                if let deadline, deadline <= .now { return .timeout }
                continue
            }
            for (source, request) in zip(sources, requests) where request.revents != 0 {
                if let event = take(source.kind, Int32(request.revents)) { return event }
            }
        }
    }

    /// Whether a deadline has passed. It does not count for a worker that is about to be gone: its end is waited for.
    private func isTimeUp(_ deadline: SteadyInstant?) -> Bool {
        guard let deadline, !isBeingKilled, facts.exit == nil, isControlOpen else { return false }
        return deadline <= .now
    }

    /// Asks the warden to kill. The first reason counts, and none counts for a worker that has ended already.
    package func kill(_ reason: TerminationFacts.HostKill) {
        guard facts.exit == nil, facts.hostKill == nil else { return }
        facts.hostKill = reason
        processes.noteKillOrder()
        let code: UInt32 = if case .reason(let reason) = reason { reason.code } else { 0 }
        send(.kill(reason: code))
    }

    /// Refuses a worker that has broken the protocol, whether or not it has ended meanwhile.
    ///
    /// - Parameter grace: that it may take to end, if it has ended its channel inside a frame: how it ends tells why.
    package func refuse(_ violation: ProtocolViolation, grace: Duration) {
        facts.note(violation)
        if violation == .truncated { faultLimit = .now + grace } else { kill(.fault) }
    }

    /// The start came to nothing for a reason that the host knows.
    package func fail(_ failure: SetupFailure) {
        facts.setupFailure = facts.setupFailure ?? failure
        kill(.reason(.shutdown))
    }

    package func send(_ order: WardenOrder) {
        let bytes = order.bytes
        // A warden that is gone needs no order.
        _ = bytes.withUnsafeBytes {
            Glibc.send(ends.control, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
    }

    /// What else is known when the worker has ended.
    package func note(openCalls: Int? = nil, wasAskedToEnd: Bool? = nil, saidGoodbye: Bool? = nil) {
        if let openCalls { facts.openCalls = openCalls }
        if let wasAskedToEnd { facts.wasAskedToEnd = wasAskedToEnd }
        if let saidGoodbye { facts.saidGoodbye = saidGoodbye }
    }

    private func end() -> Event {
        outputs.closeAll()
        close(ends.control)
        facts.wardenStatus = processes.reap()
        wall = .now - began
        isEnded = true
        return .ended
    }

    /// How it ended. Only after ``Event/ended``.
    package var report: TerminationReport {
        var report = TerminationReport(
            facts.verdict { SystemCallName.of($0, architecture: $1) })
        report.layers = started?.layers.layers ?? []
        report.landlockABI = started?.landlockABI ?? 0
        report.startedMicroseconds = startedMicroseconds
        report.wallTime = wall
        report.note(facts.exit)
        report.stderrTail = facts.stderrTail
        return report
    }
}

// MARK: Sources of what happens

extension WatchedWorker {
    private enum Source {
        case control
        case output(Output)
        case channel
    }

    private func sources(_ interest: Int32) -> [(kind: Source, descriptor: Int32, events: Int32)] {
        var sources: [(kind: Source, descriptor: Int32, events: Int32)] = []
        if isControlOpen { sources.append((.control, ends.control, POLLIN)) }
        for (output, descriptor) in outputs.open { sources.append((.output(output), descriptor, POLLIN)) }
        if interest != 0 { sources.append((.channel, ends.channel, interest)) }
        return sources
    }

    private func timeout(before deadline: SteadyInstant?) -> Int32 {
        if !isControlOpen { return 100 }
        var end = deadline
        if let limit = processes.forceLimit { end = min(end ?? limit, limit) }
        if let faultLimit { end = min(end ?? faultLimit, faultLimit) }
        guard let end else { return -1 }
        let left = SteadyInstant.now.duration(to: end)
        return Int32(clamping: left.wholeMilliseconds)
    }

    private func take(_ source: Source, _ events: Int32) -> Event? {
        switch source {
        case .control: takeRecord()
        case .output(let output): takeOutput(output)
        case .channel: events & ~POLLOUT != 0 ? .channelReadable : .channelWritable
        }
    }

    private func takeOutput(_ output: Output) -> Event? {
        guard let bytes = outputs.read(output) else { return nil }
        facts.stderrTail = outputs.errorTail
        return .output(output, bytes)
    }

    private func takeRecord() -> Event? {
        var record = cforcefield_record()
        var descriptor: Int32 = -1
        switch cforcefield_control_receive(ends.control, &record, &descriptor) {
        case 1: break
        case -1 where errno == EAGAIN || errno == EINTR: return nil
        case 0:
            isControlOpen = false
            return nil
        default:
            fail(.control)
            isControlOpen = false
            return nil
        }
        if descriptor >= 0 { processes.take(descriptor) }
        guard let report = try? control.receive(withUnsafeBytes(of: record) { Array($0) }) else {
            fail(.control)
            return nil
        }
        return take(report)
    }

    private func take(_ report: WardenReport) -> Event? {
        switch report {
        case .warden(let pid): wardenPID = pid
        case .stageFailed(let stage, let errno): facts.setupFailure = .stage(stage, errno: errno)
        case .limit(let limit): facts.passedLimit = limit
        case .exited(let exit): facts.exit = exit
        case .started(let started):
            self.started = started
            facts.started = true
            let missing = plan.strictness.refused(started.layers).subtracting(plan.layersOff)
            guard missing.isEmpty else {
                fail(.layersMissing(missing))
                return nil
            }
            return .started
        case .violation(let call):
            guard plan.reportsOnly else {
                facts.violation = facts.violation ?? call
                return nil
            }
            let forbidden = Termination.ForbiddenCall(
                name: SystemCallName.of(call.number, architecture: call.architecture), number: call.number,
                architecture: call.architecture, arguments: call.arguments)
            violations.append(forbidden)
            return .reported(forbidden)
        }
        return nil
    }
}
