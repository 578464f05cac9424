import CForceField
import Files
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
    private var pidfd: Int32 = -1
    private var isControlOpen = true
    private var openOutputs: [Output: Int32]
    private var killed: SteadyInstant?
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

    /// The path of the program that runs already.
    private static let ownProgram = "/proc/self/exe"
    /// Bytes of standard error that are kept.
    private static let tailLimit = 64 << 10
    /// How long a warden may take to obey the order to kill.
    private static let killPatience = Duration.seconds(1)

    /// - Throws: ``WatchError``
    package init(_ plan: WorkerPlan) throws(WatchError) {
        self.plan = plan
        var policy = try plan.policy()
        let program = try Self.open(plan.program)
        if plan.program != Self.ownProgram {
            do { try WorkerExecutable.requireTrustedPlace(of: program) } catch {
                throw .untrustedProgram(error)
            }
        }
        let target = try plan.target.map { path throws(WatchError) in try Self.open(path) }
        let input = try plan.input.map { path throws(WatchError) in try Self.open(path) }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        startedMicroseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000

        var spawned = cforcefield_spawned()
        let words = [plan.role ?? Self.name(of: plan.target ?? plan.program)] + plan.arguments
        let error = Self.withArguments(words) { words in
            withUnsafePointer(to: &policy) { policy in
                var request = cforcefield_spawn_request(
                    policy: policy, program: program.descriptor.rawValue, target: target?.descriptor.rawValue ?? -1,
                    input: input?.descriptor.rawValue ?? -1, arguments: words)
                return withExtendedLifetime((program, target, input)) { cforcefield_spawn(&request, &spawned) }
            }
        }
        guard error == 0 else { throw .spawn(errno: error) }
        ends = spawned
        openOutputs = [.standard: spawned.output]
        if spawned.errors >= 0 { openOutputs[.error] = spawned.errors }
        facts.hardCPULimit = plan.limits.hardCPULimit
        facts.memoryLimitBytes = plan.limits.memoryBytes
    }

    deinit {
        if !isEnded {
            // The warden ends with its control channel, and the worker with it.
            close(ends.control)
            reap()
        }
        close(ends.channel)
        for descriptor in openOutputs.values { close(descriptor) }
        if pidfd >= 0 { close(pidfd) }
    }

    package var channel: Int32 { ends.channel }
    /// Whether the order to kill the worker was given, whether or not it is gone yet.
    package var isBeingKilled: Bool { killed != nil }
    package var isStarted: Bool { started != nil }
    /// Number of stage 0, and of its and the warden's group.
    var launcher: Int32 { ends.process }
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
            if !isControlOpen, openOutputs.isEmpty { return end() }
            let sources = sources(interest)
            var requests = sources.map { pollfd(fd: $0.descriptor, events: Int16($0.events), revents: 0) }
            let count = poll(&requests, nfds_t(requests.count), timeout(before: deadline))
            if count < 0 && errno == EINTR { continue }
            // Times count although something is always ready: a worker that floods must not stop the clock.
            if let killed, killed + Self.killPatience <= .now { killByForce() }
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
        guard let deadline, killed == nil, facts.exit == nil, isControlOpen else { return false }
        return deadline <= .now
    }

    /// Asks the warden to kill. The first reason counts, and none counts for a worker that has ended already.
    package func kill(_ reason: TerminationFacts.HostKill) {
        guard facts.exit == nil, facts.hostKill == nil else { return }
        facts.hostKill = reason
        killed = .now
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
        for (output, descriptor) in openOutputs { sources.append((.output(output), descriptor, POLLIN)) }
        if interest != 0 { sources.append((.channel, ends.channel, interest)) }
        return sources
    }

    private func timeout(before deadline: SteadyInstant?) -> Int32 {
        if !isControlOpen { return 100 }
        var end = deadline
        if let killed { end = min(end ?? killed + Self.killPatience, killed + Self.killPatience) }
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
        guard let descriptor = openOutputs[output] else { return nil }
        let bytes = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard !bytes.isEmpty else {
            if errno == EAGAIN || errno == EINTR {
                errno = 0
                return nil
            }
            close(descriptor)
            openOutputs[output] = nil
            return nil
        }
        // A linked worker has one pipe for both.
        if output == .error || ends.errors < 0 { facts.stderrTail = (facts.stderrTail + bytes).suffix(Self.tailLimit) }
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
        if descriptor >= 0 {
            if pidfd >= 0 { close(pidfd) }
            pidfd = descriptor
        }
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

// MARK: The end

extension WatchedWorker {
    private func end() -> Event {
        for (_, descriptor) in openOutputs { close(descriptor) }
        openOutputs = [:]
        close(ends.control)
        reap()
        wall = .now - began
        isEnded = true
        return .ended
    }

    /// Kills without the warden: where that does not obey, or the program never became one.
    private func killByForce() {
        killed = .now
        if pidfd >= 0 {
            cforcefield_kill_pidfd(pidfd)
        } else {
            // Stage 0 and the warden that it may have made and not told of: the group keeps its number until both are
            // waited for.
            Glibc.kill(-ends.process, SIGKILL)
        }
    }

    /// Stage 0 and the warden are children of this process, and of one group, also a warden that was never announced.
    private func reap() {
        var status: Int32 = 0
        if pidfd < 0 { killByForce() }
        if pidfd >= 0 {
            var request = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
            if poll(&request, 1, 5_000) != 1 {
                killByForce()
                poll(&request, 1, -1)
            }
            if cforcefield_reap_pidfd(pidfd, &status) == 1 { facts.wardenStatus = WaitStatus(rawValue: status) }
        }
        while true {
            let ended = waitpid(-ends.process, &status, 0)
            if ended < 0, errno == EINTR { continue }
            guard ended > 0 else { return }
            if ended == ends.process, pidfd < 0 { facts.wardenStatus = WaitStatus(rawValue: status) }
        }
    }
}

// MARK: Starting

extension WatchedWorker {
    /// A regular file. Anything else is refused without waiting for it: a named pipe would be waited for until it has a
    /// writer.
    private static func open(_ path: String) throws(WatchError) -> OpenFile {
        do { return try OpenFile(FilePath(path), followsLinks: true) } catch {
            switch error.reason {
            case .system(let code): throw .unreadable(path: path, errno: code.rawValue)
            case .folder: throw .unreadable(path: path, errno: EISDIR)
            default: throw .notRegular(path: path)
            }
        }
    }

    private static func name(of path: String) -> String {
        path.split(separator: "/").last.map(String.init) ?? "worker"
    }

    private static func withArguments<R>(
        _ words: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> R
    ) -> R {
        var pointers = words.map { UnsafePointer<CChar>(strdup($0)) }
        defer { for pointer in pointers { free(UnsafeMutableRawPointer(mutating: pointer)) } }
        pointers.append(nil)
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }
}
