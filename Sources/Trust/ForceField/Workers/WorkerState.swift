#if os(Linux)
    import CForceField
    import ForceFieldWire
    import Glibc

    /// The state of one worker, changed under its lock.
    ///
    /// Source: `forcefield` sections 4, 14, 16 and 17.
    struct WorkerState: ~Copyable {
        private let terms: WorkerTerms
        private let begun: ContinuousClock.Instant
        private let begunMicroseconds: UInt64
        private var phase = Phase.launching
        var sourceID: UInt64 = 0
        /// When the reactor will call, at the latest.
        var scheduled: ContinuousClock.Instant?
        private(set) var watch: Watch?
        var dialogue: Dialogue?
        private var outputs: [WorkerOutput] = []
        private var group: ControlGroup?
        private(set) var started: WardenReport.Started?
        private var facts = TerminationFacts()
        private var isReady = false
        private var startLimit: ContinuousClock.Instant?
        private var runLimit: ContinuousClock.Instant?
        /// When a worker that has ended its channel inside a frame is killed.
        private var faultLimit: ContinuousClock.Instant?
        private var shutdownLimit: (time: ContinuousClock.Instant, reason: KillReason)?
        /// When the state is looked at again that no event tells of.
        private var nextLook: ContinuousClock.Instant?
        /// Whether the system has no room to wait for the warden's end.
        private var isUnwatched = false
        /// News that the owner has not been told yet.
        var news: [WorkerNews] = []
        /// Whether some thread tells the owner what is in `news`.
        var isTelling = false
        /// Orders from before there was a process.
        private var earlyOrders: [WardenOrder] = []

        private enum Phase {
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

        init(_ terms: WorkerTerms, at now: ContinuousClock.Instant) {
            self.terms = terms
            lingering = Lingering(terms.pace)
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

        // MARK: Begin

        mutating func attach(_ process: LaunchedProcess, _ news: inout [WorkerNews]) {
            let now = ContinuousClock.now
            phase = .running
            group = process.group
            watch = Watch(launcher: process.launcher, control: process.control)
            outputs = [WorkerOutput(process.output, .standard, part: .output)]
            if let errors = process.errors { outputs.append(WorkerOutput(errors, .errors, part: .errors)) }
            if let channel = terms.channel {
                dialogue = Dialogue(
                    process.channel, channel, pace: terms.pace, configuration: terms.configuration,
                    streamCredit: terms.policy.streamCredit)
            }
            startLimit = now + terms.policy.startTimeout
            runLimit = terms.deadline.map { now + $0 }
            var isWatched = listen(to: process.control, .control)
            for output in outputs { isWatched = isWatched && listen(to: output.descriptor, output.part) }
            if dialogue != nil { isWatched = isWatched && listen(to: process.channel, .channel) }
            if !isWatched { failStart(.spawn(errno: ENOSPC)) }
            for order in earlyOrders { watch?.order(order) }
            earlyOrders = []
            if facts.hostKill != nil { watch?.kill(0, at: now) }
        }

        mutating func fail(_ failure: LaunchFailure, _ news: inout [WorkerNews]) {
            switch failure {
            case .spawn(let errno): facts.setupFailure = .spawn(errno: errno)
            case .notPlaced: facts.setupFailure = .spawn(errno: EPERM)
            case .refused: facts.setupFailure = .stage(.policy, errno: EINVAL)
            }
            end(&news)
        }

        private func listen(to descriptor: OwnedDescriptor, _ part: Part) -> Bool {
            Reactor.shared.watch(descriptor, part: part.rawValue, of: sourceID)
        }

        // MARK: Orders

        /// - Parameter callerWaits: this thread is about to wait for the answer itself.
        mutating func begin(_ call: Call, callerWaits: Bool, _ news: inout [WorkerNews]) {
            guard !call.isEnded else { return news.append(.answered(call, .failure(.cancelled))) }
            guard phase == .running, dialogue != nil, facts.hostKill == nil else { return news.append(.notTaken(call)) }
            let now = ContinuousClock.now
            do throws(RequestRefusal) { try dialogue?.begin(call, at: now) } catch {
                switch error {
                case .tooLarge(let bytes, let limit):
                    news.append(.answered(call, .failure(.requestTooLarge(bytes: bytes, limit: limit))))
                // It has said goodbye, and its end will be known in a moment.
                case .notServing, .busy: news.append(.notTaken(call))
                }
                return
            }
            // Before the request is sent: the reactor would be woken for an answer that comes at once.
            if callerWaits, lingering.begin(for: call, at: now), let channel = dialogue?.channel { watch(channel) }
            flush(&news)
        }

        mutating func abandon(_ call: Call, _ reason: KillReason, _ news: inout [WorkerNews]) {
            guard phase == .running else { return }
            let grace = terms.policy.cancelGrace
            dialogue?.abandon(call, killAt: .now + grace, reason)
            flush(&news)
            // Without grace the worker is killed at the next look, which is now.
            if grace == .zero { isDue(at: .now, &news) }
        }

        mutating func shutDown(within grace: Duration, else reason: KillReason, _ news: inout [WorkerNews]) {
            guard phase == .running, isReady, dialogue != nil else { return kill(.reason(reason)) }
            guard shutdownLimit == nil else { return }
            facts.wasAskedToEnd = true
            shutdownLimit = (.now + grace, reason)
            dialogue?.shutDown()
            flush(&news)
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

        mutating func flush(_ news: inout [WorkerNews]) {
            guard phase == .running, let channel = dialogue?.channel, let progress = dialogue?.flush() else { return }
            // The end of a broken channel is told elsewhere.
            waitsForRoom = progress == .waits
            watch(channel)
        }

        private var waitsForRoom = false
        private var watched: Reactor.Interest = .input

        /// The reactor leaves the channel alone while a caller waits for it.
        private mutating func watch(_ channel: OwnedDescriptor) {
            let wanted: Reactor.Interest = lingering.isActive ? [] : interest
            guard wanted != watched, dialogue?.isDeaf == false else { return }
            watched = wanted
            Reactor.shared.watch(channel, part: Part.channel.rawValue, of: sourceID, for: wanted)
        }

        private var interest: Reactor.Interest { waitsForRoom ? [.input, .room] : .input }

        // MARK: Lingering

        private var lingering: Lingering

        /// - Returns: what the call's caller may wait for; nil if it may not.
        mutating func lingering(for call: Call) -> (channel: OwnedDescriptor, interest: Reactor.Interest)? {
            guard phase == .running, lingering.isActive(for: call), let channel = dialogue?.channel else { return nil }
            return (channel, interest)
        }

        /// The caller has waited with success.
        ///
        /// - Returns: what it may wait for now; nil where nothing more comes by this channel.
        mutating func linger(_ news: inout [WorkerNews]) -> Reactor.Interest? {
            isReady(.channel, &news)
            return phase == .running && dialogue?.isDeaf == false ? interest : nil
        }

        mutating func endLingering() {
            lingering.end()
            if phase == .running, let channel = dialogue?.channel { watch(channel) }
        }

        // MARK: Events

        mutating func isReady(_ part: Part, _ news: inout [WorkerNews]) {
            guard phase == .running else { return }
            let now = ContinuousClock.now
            switch part {
            case .channel:
                receive(at: now, isLast: false, &news)
                if waitsForRoom { flush(&news) }
            case .control: readControl(at: now, &news)
            case .warden: endIfOver(at: now, &news)
            case .output, .errors:
                guard !areOutputsHeld else { return }
                for index in outputs.indices where outputs[index].part == part {
                    readOutput(index, isLast: false, &news)
                }
            }
        }

        private mutating func receive(at now: ContinuousClock.Instant, isLast: Bool, _ news: inout [WorkerNews]) {
            do throws(ChannelFault) {
                try dialogue?.receive(at: now, isLast: isLast, into: &news)
            } catch { judge(error) }
            if let channel = dialogue?.channel, dialogue?.isDeaf == true { Reactor.shared.stopWatching(channel) }
            // It can answer nothing more, so it has to end, also if it was not asked to.
            if dialogue?.hasSaidGoodbye == true, shutdownLimit == nil, facts.hostKill == nil {
                shutdownLimit = (now + terms.policy.shutdownGrace, .retired)
            }
            if !isReady { becomeReady(&news) }
        }

        /// Makes the worker ready once it has said HELLO and the warden has said what it is locked in by: either may
        /// come first.
        private mutating func becomeReady(_ news: inout [WorkerNews]) {
            guard facts.started, facts.setupFailure == nil, let capacity = dialogue == nil ? 0 : dialogue?.capacity
            else {
                return
            }
            isReady = true
            startLimit = nil
            news.append(.isReady(maxInFlight: capacity))
            flush(&news)
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

        private mutating func readControl(at now: ContinuousClock.Instant, _ news: inout [WorkerNews]) {
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report, &news) }
            } catch {
                // Behind a stage that failed the warden's last record says nothing new.
                if facts.setupFailure == nil { failStart(error == .noDescriptor ? .spawn(errno: EMFILE) : .control) }
            }
            guard watch?.isAtEnd == true else { return }
            if let control = watch?.control { Reactor.shared.stopWatching(control) }
            endIfOver(at: now, &news)
        }

        private mutating func note(_ report: WardenReport, _ news: inout [WorkerNews]) {
            switch report {
            case .warden:
                if let warden = watch?.warden, !listen(to: warden, .warden) {
                    isUnwatched = true
                    failStart(.spawn(errno: ENOSPC))
                }
                if watch?.reapLauncher() == false { lookSoon() }
            case .started(let started): begin(started, &news)
            case .stageFailed(let stage, let errno):
                if facts.setupFailure == nil { facts.setupFailure = .stage(stage, errno: errno) }
            case .violation(let call): if facts.violation == nil { facts.violation = call }
            case .limit(let limit): facts.passedLimit = limit
            case .exited(let exit): facts.exit = exit
            }
        }

        private mutating func begin(_ started: WardenReport.Started, _ news: inout [WorkerNews]) {
            self.started = started
            facts.started = true
            let refused = terms.policy.strictness.refused(started.layers)
            guard refused.isEmpty else { return failStart(.layersMissing(refused)) }
            becomeReady(&news)
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

        private mutating func readOutput(_ index: Int, isLast: Bool, _ news: inout [WorkerNews]) {
            let relays = terms.channel == nil
            let isOpen = outputs[index].read(isLast: isLast, relaying: relays, &news)
            if !isOpen { Reactor.shared.stopWatching(outputs[index].descriptor) }
            if relays, outputs.reduce(0, { $0 + $1.total }) > terms.outputLimit { kill(.reason(.outputLimit)) }
        }

        // MARK: Time

        private mutating func nextDue() -> ContinuousClock.Instant? {
            guard phase == .running else { return nil }
            var first = Earliest(dialogue?.deadline)
            first.add(startLimit)
            first.add(runLimit)
            first.add(faultLimit)
            first.add(shutdownLimit?.time)
            first.add(nextLook)
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

        mutating func isDue(at now: ContinuousClock.Instant, _ news: inout [WorkerNews]) {
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
            do throws(ChannelFault) {
                if let reason = try dialogue?.check(at: now, cancelGrace: terms.policy.cancelGrace, &news) {
                    kill(.reason(reason))
                }
            } catch { judge(error) }
            flush(&news)
            if watch?.escalate(at: now) == true, watch?.warden == nil { lookSoon() }
            guard let look = nextLook, look <= now else { return }
            nextLook = nil
            if watch?.reapLauncher() == false { lookSoon() }
            endIfOver(at: now, &news)
        }

        // MARK: End

        private mutating func endIfOver(at now: ContinuousClock.Instant, _ news: inout [WorkerNews]) {
            switch watch?.reap() {
            case .ended(let status): facts.wardenStatus = status
            case .notYet:
                if watch?.warden == nil || isUnwatched { lookSoon() }
                return
            case nil: return
            }
            // What was sent before the end counts.
            receive(at: now, isLast: true, &news)
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report, &news) }
            } catch {
                if facts.setupFailure == nil, !facts.started { facts.setupFailure = .control }
            }
            for index in outputs.indices { readOutput(index, isLast: true, &news) }
            end(&news)
        }

        private mutating func end(_ news: inout [WorkerNews]) {
            phase = .ended
            let calls = dialogue?.openCalls ?? []
            facts.openCalls = calls.count
            facts.saidGoodbye = dialogue?.hasSaidGoodbye ?? false
            facts.stderrTail = outputs.last?.tail.bytes ?? []
            facts.outOfMemoryKills = group?.outOfMemoryKills ?? 0
            if let group { GroupRemoval.shared.remove(group, of: terms.launch.pendingGroups) }
            news.append(.ended(report(), calls: calls))
            reapLate()
            stopWatching()
            watch = nil
            dialogue = nil
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
            let watched = [watch?.control, watch?.warden, dialogue?.channel] + outputs.map(\.descriptor)
            for case let descriptor? in watched { Reactor.shared.stopWatching(descriptor) }
        }

        private mutating func report() -> TerminationReport {
            var report = TerminationReport(facts.verdict { SystemCallName.of($0, architecture: $1) })
            report.layers = started?.layers.layers ?? []
            report.landlockABI = started?.landlockABI ?? 0
            report.limits = group == nil ? .resourceLimits : .controlGroup
            report.startedMicroseconds = begunMicroseconds
            let elapsed = (ContinuousClock.now - begun).components
            report.wallMicroseconds =
                UInt64(elapsed.seconds) * 1_000_000 + UInt64(elapsed.attoseconds / 1_000_000_000_000)
            report.cpuUserMicroseconds = facts.exit?.userMicroseconds ?? 0
            report.cpuSystemMicroseconds = facts.exit?.systemMicroseconds ?? 0
            report.maxRSSKiB = facts.exit?.maxRSSKiB ?? 0
            report.requests = dialogue?.requestsServed ?? 0
            report.lastMethod = dialogue?.lastMethod
            report.stderrTail = facts.stderrTail
            return report
        }
    }

    /// Names of the kernel's calls.
    enum SystemCallName {
        static func of(_ number: UInt32, architecture: UInt32) -> String? {
            cforcefield_system_call_name(architecture, number).map { String(cString: $0) }
        }
    }
#endif
