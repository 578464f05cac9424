#if os(Linux)
    import CForceField
    import Files
    import ForceFieldWire
    import Glibc
    import Scheduling

    /// The state of one worker, changed under its lock.
    ///
    /// Source: `forcefield` sections 4, 14, 16 and 17.
    struct WorkerState: ~Copyable {
        private let terms: WorkerTerms
        private let begun: SteadyInstant
        private let begunMicroseconds: UInt64
        private(set) var phase = Phase.launching
        var sourceID: UInt64 = 0
        /// When the reactor will call, at the latest.
        var scheduled: SteadyInstant?
        private(set) var watch: Watch?
        var channel: WorkerChannel?
        private var outputs: [WorkerOutput] = []
        private var group: ControlGroup?
        private(set) var started: WardenReport.Started?
        private var facts = TerminationFacts()
        private var isReady = false
        private var startLimit: SteadyInstant?
        private var runLimit: SteadyInstant?
        /// When a worker that has ended its channel inside a frame is killed.
        private var faultLimit: SteadyInstant?
        private var shutdownLimit: (time: SteadyInstant, reason: KillReason)?
        /// When the state is looked at again that no event tells of.
        private var nextLook: SteadyInstant?
        /// Whether the system has no room to wait for the warden's end.
        private var isUnwatched = false
        /// Events that the owner has not been told yet.
        private var events: [WorkerEvent] = []
        /// Whether some thread tells the owner what is in `events`.
        private var isDelivering = false
        var callerWait: CallerWait
        /// Until when the channel stays with the callers although none of them waits: nothing is expected of the
        /// worker, and what it says unasked has time.
        var lentUntil: SteadyInstant?
        /// Orders from before there was a process.
        private var earlyOrders: [WardenOrder] = []

        enum Phase {
            case launching
            case running
            case ended
        }

        /// What of a worker is ready.
        enum Part: UInt8 {
            case channel, control, warden, output, errors
        }

        /// How long a worker may run on after it has ended its channel.
        private var closedTime: Duration { terms.channel?.closedTime ?? .zero }

        private static let lookInterval = Duration.milliseconds(1)

        init(_ terms: WorkerTerms, at now: SteadyInstant) {
            self.terms = terms
            callerWait = CallerWait(terms.pace)
            begun = now
            begunMicroseconds = Self.wallClockMicroseconds
            facts.hardCPULimit = terms.policy.limits.hardCPULimit
            facts.memoryLimitBytes = terms.policy.limits.memoryBytes
        }

        private static var wallClockMicroseconds: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
        }

        // MARK: Events for the owner

        /// - Returns: whether the calling thread is to deliver events, as long as ``takeEvents()`` gives some.
        mutating func beginDelivery() -> Bool {
            guard !events.isEmpty, !isDelivering else { return false }
            isDelivering = true
            return true
        }

        /// - Returns: nil when there are no more, and another thread may deliver the next.
        mutating func takeEvents() -> [WorkerEvent]? {
            guard !events.isEmpty else {
                isDelivering = false
                return nil
            }
            defer { events = [] }
            return events
        }

        // MARK: Begin

        mutating func attach(_ process: LaunchedProcess) {
            let now = SteadyInstant.now
            phase = .running
            group = process.group
            watch = Watch(launcher: process.launcher, control: process.control)
            outputs = [WorkerOutput(process.output, .standard, part: .output)]
            if let errors = process.errors { outputs.append(WorkerOutput(errors, .errors, part: .errors)) }
            if let channelTerms = terms.channel {
                channel = WorkerChannel(
                    process.channel, channelTerms, pace: terms.pace, configuration: terms.configuration,
                    streamCredit: terms.policy.streamCredit)
            } else {
                // A program without calls is to end when it is done.
                facts.wasAskedToEnd = true
            }
            startLimit = now + terms.policy.startTimeout
            runLimit = terms.deadline.map { now + $0 }
            var isWatched = listen(to: process.control, .control)
            for output in outputs { isWatched = isWatched && listen(to: output.descriptor, output.part) }
            if channel != nil { isWatched = isWatched && listen(to: process.channel, .channel) }
            if !isWatched { failStart(.spawn(errno: ENOSPC)) }
            for order in earlyOrders { watch?.order(order) }
            earlyOrders = []
            if facts.hostKill != nil { watch?.kill(0, at: now) }
        }

        mutating func fail(_ failure: LaunchFailure) {
            switch failure {
            case .spawn(let errno): facts.setupFailure = .spawn(errno: errno)
            case .notPlaced: facts.setupFailure = .spawn(errno: EPERM)
            case .refused: facts.setupFailure = .stage(.policy, errno: EINVAL)
            }
            end()
        }

        private func listen(to descriptor: OpenFile, _ part: Part) -> Bool {
            Reactor.shared.watch(descriptor, part: part.rawValue, of: sourceID)
        }

        // MARK: Orders

        /// - Parameter callerWaits: this thread is about to wait for the answer itself.
        mutating func begin(_ call: Call, callerWaits: Bool) {
            guard !call.isEnded else { return events.append(.answered(call, .failure(.cancelled))) }
            guard phase == .running, channel != nil, facts.hostKill == nil else {
                return events.append(.notTaken(call))
            }
            let now = SteadyInstant.now
            do throws(RequestRefusal) { try channel?.begin(call, at: now) } catch {
                switch error {
                case .tooLarge(let bytes, let limit):
                    events.append(.answered(call, .failure(.requestTooLarge(bytes: bytes, limit: limit))))
                // It has said goodbye, and its end will be known in a moment.
                case .notServing, .busy: events.append(.notTaken(call))
                }
                return
            }
            // Before the request is sent: the reactor would be woken for an answer that comes at once.
            if callerWaits, channel?.pauseEnd == nil, callerWait.begin(for: call, at: now) {
                if let socket = channel?.socket { watch(socket) }
            } else {
                lentUntil = nil
            }
            flush()
        }

        mutating func cancel(_ call: Call) {
            guard phase == .running else { return }
            let grace = terms.policy.cancelGrace
            channel?.cancel(call, because: .caller, answerBy: .now + grace)
            flush()
            // Without grace the worker is killed at the next look, which is now.
            if grace == .zero { isDue(at: .now) }
        }

        mutating func shutDown(within grace: Duration, else reason: KillReason) {
            guard phase == .running, isReady, channel != nil else { return kill(.reason(reason)) }
            guard shutdownLimit == nil else { return }
            facts.wasAskedToEnd = true
            lentUntil = nil
            shutdownLimit = (.now + grace, reason)
            channel?.shutDown()
            flush()
            if grace == .zero { kill(.reason(reason)) }
        }

        mutating func kill(_ cause: TerminationFacts.HostKill) {
            guard phase != .ended else { return }
            if facts.hostKill == nil, facts.exit == nil { facts.hostKill = cause }
            var code: UInt32 = 0
            if case .reason(let reason) = cause { code = reason.code }
            watch?.kill(code, at: .now)
        }

        mutating func order(_ order: WardenOrder) {
            switch phase {
            case .launching: earlyOrders.append(order)
            case .running: watch?.order(order)
            case .ended: return
            }
        }

        mutating func flush() {
            guard phase == .running, let socket = channel?.socket, let progress = channel?.flush() else { return }
            // The end of a broken channel is told elsewhere.
            waitsForRoom = progress == .waits
            watch(socket)
        }

        private var waitsForRoom = false
        private var watched: Reactor.Interest = .input

        /// The reactor leaves the channel alone while a caller waits for it, as long as it is lent, and while it is not
        /// read. Its end it is told in any case.
        mutating func watch(_ socket: OpenFile) {
            let isLent = callerWait.isActive || lentUntil != nil && !waitsForRoom
            let wanted: Reactor.Interest = isLent || channel?.pauseEnd != nil ? [] : interest
            guard wanted != watched, channel?.isInputClosed == false else { return }
            watched = wanted
            Reactor.shared.watch(socket, part: Part.channel.rawValue, of: sourceID, for: wanted)
        }

        var interest: Reactor.Interest { waitsForRoom ? [.input, .room] : .input }

        // MARK: What has arrived

        mutating func isReady(_ part: Part) {
            guard phase == .running else { return }
            let now = SteadyInstant.now
            switch part {
            case .channel:
                receive(at: now, isLast: false)
                if waitsForRoom { flush() }
            case .control: readControl(at: now)
            case .warden: endIfOver(at: now)
            case .output, .errors:
                guard !areOutputsHeld else { return }
                for index in outputs.indices where outputs[index].part == part {
                    readOutput(index, isLast: false)
                }
            }
        }

        private mutating func receive(at now: SteadyInstant, isLast: Bool) {
            do throws(ChannelFault) {
                try channel?.receive(at: now, isLast: isLast, into: &events)
            } catch { judge(error) }
            if let socket = channel?.socket {
                if channel?.isInputClosed == true {
                    Reactor.shared.stopWatching(socket)
                } else if channel?.pauseEnd != nil {
                    watch(socket)
                }
            }
            // It can answer nothing more, so it has to end, also if it was not asked to.
            if channel?.hasSaidGoodbye == true, shutdownLimit == nil, facts.hostKill == nil {
                shutdownLimit = (now + terms.policy.shutdownGrace, .retired)
            }
            if !isReady { becomeReady() }
        }

        /// Makes the worker ready once it has said HELLO and the warden has said what it is locked in by: either may
        /// come first.
        private mutating func becomeReady() {
            guard facts.started, facts.setupFailure == nil, let capacity = channel == nil ? 0 : channel?.capacity
            else {
                return
            }
            isReady = true
            startLimit = nil
            events.append(.isReady(maxInFlight: capacity))
            flush()
        }

        private mutating func judge(_ fault: ChannelFault) {
            switch fault {
            case .violation(let violation):
                facts.note(violation)
                // A worker that ends its channel inside a frame may be about to end; only its end tells of what.
                if violation == .truncated { faultLimit = .now + closedTime } else { kill(.fault) }
            case .versionMismatch: failStart(.versionMismatch)
            case .interfaceMismatch: failStart(.interfaceMismatch)
            }
        }

        private mutating func failStart(_ failure: SetupFailure) {
            if facts.setupFailure == nil { facts.setupFailure = failure }
            kill(.reason(.retired))
        }

        private mutating func readControl(at now: SteadyInstant) {
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report) }
            } catch {
                // Behind a stage that failed the warden's last record says nothing new.
                if facts.setupFailure == nil { failStart(error == .noDescriptor ? .spawn(errno: EMFILE) : .control) }
            }
            guard watch?.isAtEnd == true else { return }
            if let control = watch?.control { Reactor.shared.stopWatching(control) }
            endIfOver(at: now)
        }

        private mutating func note(_ report: WardenReport) {
            switch report {
            case .warden:
                if let warden = watch?.warden, !listen(to: warden, .warden) {
                    isUnwatched = true
                    failStart(.spawn(errno: ENOSPC))
                }
                if watch?.reapLauncher() == false { lookSoon() }
            case .started(let started): begin(started)
            case .stageFailed(let stage, let errno):
                if facts.setupFailure == nil { facts.setupFailure = .stage(stage, errno: errno) }
            case .violation(let call): if facts.violation == nil { facts.violation = call }
            case .limit(let limit): facts.passedLimit = limit
            case .exited(let exit): facts.exit = exit
            }
        }

        private mutating func begin(_ started: WardenReport.Started) {
            self.started = started
            facts.started = true
            let refused = terms.policy.strictness.refused(started.layers)
            guard refused.isEmpty else { return failStart(.layersMissing(refused)) }
            becomeReady()
        }

        private var areOutputsHeld = false

        mutating func holdOutputs(_ isHeld: Bool) {
            guard phase == .running, isHeld != areOutputsHeld else { return }
            areOutputsHeld = isHeld
            for output in outputs where output.isOpen {
                if isHeld {
                    Reactor.shared.stopWatching(output.descriptor)
                } else if !listen(to: output.descriptor, output.part) {
                    kill(.reason(.outputLimit))
                }
            }
        }

        private mutating func readOutput(_ index: Int, isLast: Bool) {
            let relays = terms.channel == nil
            let isOpen = outputs[index].read(isLast: isLast, relaying: relays, &events)
            if !isOpen {
                Reactor.shared.stopWatching(outputs[index].descriptor)
            } else if outputs[index].pauseEnd != nil {
                watch(outputs[index], for: [])
            }
            if relays, outputs.reduce(0, { $0 + $1.total }) > terms.outputLimit { kill(.reason(.outputLimit)) }
        }

        private func watch(_ output: WorkerOutput, for interest: Reactor.Interest) {
            Reactor.shared.watch(output.descriptor, part: output.part.rawValue, of: sourceID, for: interest)
        }

        // MARK: Time

        private mutating func nextDue() -> SteadyInstant? {
            guard phase == .running else { return nil }
            var first = Earliest(channel?.deadline)
            for index in outputs.indices { first.add(outputs[index].pauseEnd) }
            first.add(startLimit)
            first.add(runLimit)
            first.add(faultLimit)
            first.add(shutdownLimit?.time)
            first.add(nextLook)
            first.add(lentUntil)
            first.add(watch?.escalation)
            return first.time
        }

        mutating func scheduleNext() {
            guard let due = nextDue() else { return }
            if let scheduled, scheduled <= due { return }
            scheduled = due
            Reactor.shared.wake(sourceID, at: due)
        }

        private mutating func lookSoon() { nextLook = .now + Self.lookInterval }

        mutating func isDue(at now: SteadyInstant) {
            guard phase == .running else { return }
            if let limit = startLimit, limit <= now {
                startLimit = nil
                failStart(.timeout)
            }
            if let limit = runLimit, limit <= now {
                runLimit = nil
                kill(.reason(.deadline))
            }
            if let limit = faultLimit, limit <= now {
                faultLimit = nil
                kill(.fault)
            }
            if let limit = shutdownLimit, limit.time <= now {
                shutdownLimit = nil
                kill(.reason(limit.reason))
            }
            if let limit = lentUntil, limit <= now { lentUntil = nil }
            channel?.endPause(at: now)
            for index in outputs.indices where outputs[index].endPause(at: now) { watch(outputs[index], for: .input) }
            do throws(ChannelFault) {
                if let reason = try channel?.check(at: now, cancelGrace: terms.policy.cancelGrace, &events) {
                    kill(.reason(reason))
                }
            } catch { judge(error) }
            flush()
            if watch?.escalate(at: now) == true, watch?.warden == nil { lookSoon() }
            guard let look = nextLook, look <= now else { return }
            nextLook = nil
            if watch?.reapLauncher() == false { lookSoon() }
            endIfOver(at: now)
        }

        // MARK: End

        private mutating func endIfOver(at now: SteadyInstant) {
            switch watch?.reap() {
            case .ended(let status): facts.wardenStatus = status
            case .notYet:
                if watch?.warden == nil || isUnwatched { lookSoon() }
                return
            case nil: return
            }
            // What was sent before the end counts.
            receive(at: now, isLast: true)
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report) }
            } catch {
                if facts.setupFailure == nil, !facts.started { facts.setupFailure = .control }
            }
            for index in outputs.indices { readOutput(index, isLast: true) }
            end()
        }

        private mutating func end() {
            phase = .ended
            let calls = channel?.openCalls ?? []
            facts.openCalls = calls.count
            facts.saidGoodbye = channel?.hasSaidGoodbye ?? false
            facts.stderrTail = outputs.last?.tail.bytes ?? []
            facts.outOfMemoryKills = group?.outOfMemoryKills ?? 0
            if let group { GroupRemoval.shared.remove(group, of: terms.launch.pendingGroups) }
            events.append(.ended(report(), calls: calls))
            reapLate()
            stopWatching()
            watch = nil
            channel = nil
            outputs = []
            Reactor.shared.remove(sourceID)
        }

        /// A warden that was killed may be gone before stage 0 is, which is about to end. Not reaped, it keeps its
        /// number.
        private mutating func reapLate() {
            guard watch?.reapLauncher() == false, let launcher = watch?.launcher else { return }
            Spawner.shared.perform {
                var status: Int32 = 0
                Glibc.kill(launcher, SIGKILL)
                cforcefield_reap(launcher, &status)
            }
        }

        /// Closing is not enough where another process of the host's holds a copy.
        private mutating func stopWatching() {
            let watched = [watch?.control, watch?.warden, channel?.socket] + outputs.map(\.descriptor)
            for case let descriptor? in watched { Reactor.shared.stopWatching(descriptor) }
        }

        private mutating func report() -> TerminationReport {
            var report = TerminationReport(facts.verdict { SystemCallName.of($0, architecture: $1) })
            report.layers = started?.layers.layers ?? []
            report.landlockABI = started?.landlockABI ?? 0
            report.limits = group == nil ? .resourceLimits : .controlGroup
            report.startedMicroseconds = begunMicroseconds
            report.wallTime = SteadyInstant.now - begun
            report.note(facts.exit)
            report.requests = channel?.requestsServed ?? 0
            report.lastMethod = channel?.lastMethod
            report.stderrTail = facts.stderrTail
            return report
        }
    }

    /// Names of the kernel's calls.
    package enum SystemCallName {
        /// - Parameter architecture: AUDIT_ARCH_…, as the filter saw it.
        /// - Returns: nil for a number that is unknown.
        package static func of(_ number: UInt32, architecture: UInt32) -> String? {
            cforcefield_system_call_name(architecture, number).map { String(cString: $0) }
        }
    }
#endif
