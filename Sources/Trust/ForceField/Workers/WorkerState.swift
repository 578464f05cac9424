#if os(Linux)
    import Files
    import ForceFieldWire
    import Glibc
    import Scheduling

    /// The state of one worker, changed under its lock.
    ///
    /// Source: `forcefield` sections 4, 14, 16 and 17.
    struct WorkerState: ~Copyable {
        let terms: WorkerTerms
        var phase = Phase.launching
        var sourceID: UInt64 = 0
        /// When the reactor will call, at the latest.
        var scheduled: SteadyInstant?
        var watch: Watch?
        var channel: WorkerChannel?
        var waiters: ChannelWaiters
        var outputs = WorkerOutputs()
        /// nil where the system grants none, and before there is a process.
        var group: ControlGroup?
        var history: WorkerHistory
        var deadlines = WorkerDeadlines()
        private var isReady = false
        /// Whether the system has no room to wait for the warden's end.
        var isUnwatched = false
        var events = WorkerEvents()
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

        /// Whether what it writes is passed on: it is a plain program.
        var relays: Bool { terms.channel == nil }
        var started: WardenReport.Started? { history.started }

        init(_ terms: WorkerTerms, at now: SteadyInstant) {
            self.terms = terms
            waiters = ChannelWaiters(terms.pace)
            history = WorkerHistory(terms.policy.limits, begun: now)
        }

        // MARK: Begin

        mutating func attach(_ process: LaunchedProcess) {
            let now = SteadyInstant.now
            phase = .running
            group = process.group
            watch = Watch(launcher: process.launcher, control: process.control)
            outputs = WorkerOutputs(of: process)
            if let channelTerms = terms.channel {
                channel = WorkerChannel(
                    process.channel, channelTerms, pace: terms.pace, configuration: terms.configuration,
                    streamCredit: terms.policy.streamCredit)
            } else {
                // A program without calls is to end when it is done.
                history.noteAskedToEnd()
            }
            deadlines.start = now + terms.policy.startTimeout
            deadlines.run = terms.deadline.map { now + $0 }
            var isWatched = listen(to: process.control, .control)
            isWatched = isWatched && outputs.listen(for: sourceID)
            if channel != nil { isWatched = isWatched && listen(to: process.channel, .channel) }
            if !isWatched { failStart(.spawn(errno: ENOSPC)) }
            for order in earlyOrders { watch?.order(order) }
            earlyOrders = []
            if history.isKilled { watch?.kill(0, at: now) }
        }

        mutating func fail(_ failure: LaunchFailure) {
            switch failure {
            case .spawn(let errno): history.noteFailure(.spawn(errno: errno))
            case .notPlaced: history.noteFailure(.spawn(errno: EPERM))
            case .refused: history.noteFailure(.stage(.policy, errno: EINVAL))
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
            guard phase == .running, channel != nil, !history.isKilled else {
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
            if callerWaits, channel?.pauseEnd == nil, waiters.callerWait.begin(for: call, at: now) {
                if let socket = channel?.socket { watch(socket) }
            } else {
                waiters.lentUntil = nil
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
            guard deadlines.shutdown == nil else { return }
            history.noteAskedToEnd()
            waiters.lentUntil = nil
            deadlines.shutdown = (.now + grace, reason)
            channel?.shutDown()
            flush()
            if grace == .zero { kill(.reason(reason)) }
        }

        mutating func kill(_ cause: TerminationFacts.HostKill) {
            guard phase != .ended else { return }
            history.noteKill(cause)
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
            waiters.waitsForRoom = progress == .waits
            watch(socket)
        }

        /// Tells the reactor what of the channel it has to wait for, where that has changed.
        mutating func watch(_ socket: OpenFile) {
            guard channel?.isInputClosed == false,
                let wanted = waiters.takeChange(isPaused: channel?.pauseEnd != nil)
            else { return }
            Reactor.shared.watch(socket, part: Part.channel.rawValue, of: sourceID, for: wanted)
        }

        // MARK: What has arrived

        mutating func isReady(_ part: Part) {
            guard phase == .running else { return }
            let now = SteadyInstant.now
            switch part {
            case .channel:
                receive(at: now, isLast: false)
                if waiters.waitsForRoom { flush() }
            case .control: readControl(at: now)
            case .warden: endIfOver(at: now)
            case .output, .errors:
                outputs.read(part, for: sourceID, relaying: relays, &events.waiting)
                checkOutputLimit()
            }
        }

        mutating func receive(at now: SteadyInstant, isLast: Bool) {
            do throws(ChannelFault) {
                try channel?.receive(at: now, isLast: isLast, into: &events.waiting)
            } catch { judge(error) }
            if let socket = channel?.socket {
                if channel?.isInputClosed == true {
                    Reactor.shared.stopWatching(socket)
                } else if channel?.pauseEnd != nil {
                    watch(socket)
                }
            }
            // It can answer nothing more, so it has to end, also if it was not asked to.
            if channel?.hasSaidGoodbye == true, deadlines.shutdown == nil, !history.isKilled {
                deadlines.shutdown = (now + terms.policy.shutdownGrace, .retired)
            }
            if !isReady { becomeReady() }
        }

        /// Makes the worker ready once it has said HELLO and the warden has said what it is locked in by: either may
        /// come first.
        private mutating func becomeReady() {
            guard history.isSetUp, let capacity = channel == nil ? 0 : channel?.capacity else { return }
            isReady = true
            deadlines.start = nil
            events.append(.isReady(maxInFlight: capacity))
            flush()
        }

        private mutating func judge(_ fault: ChannelFault) {
            switch fault {
            case .violation(let violation):
                history.note(violation)
                // A worker that ends its channel inside a frame may be about to end; only its end tells of what.
                if violation == .truncated { deadlines.fault = .now + closedTime } else { kill(.fault) }
            case .versionMismatch: failStart(.versionMismatch)
            case .interfaceMismatch: failStart(.interfaceMismatch)
            }
        }

        private mutating func failStart(_ failure: SetupFailure) {
            history.noteFailure(failure)
            kill(.reason(.retired))
        }

        private mutating func readControl(at now: SteadyInstant) {
            do throws(ControlFault) {
                while let report = try watch?.next() { note(report) }
            } catch {
                // Behind a stage that failed the warden's last record says nothing new.
                if history.facts.setupFailure == nil {
                    failStart(error == .noDescriptor ? .spawn(errno: EMFILE) : .control)
                }
            }
            guard watch?.isAtEnd == true else { return }
            if let control = watch?.control { Reactor.shared.stopWatching(control) }
            endIfOver(at: now)
        }

        mutating func note(_ report: WardenReport) {
            history.note(report)
            switch report {
            case .warden:
                if let warden = watch?.warden, !listen(to: warden, .warden) {
                    isUnwatched = true
                    failStart(.spawn(errno: ENOSPC))
                }
                if watch?.reapLauncher() == false { deadlines.lookSoon() }
            case .started(let started): begin(started)
            case .stageFailed, .violation, .limit, .exited: break
            }
        }

        private mutating func begin(_ started: WardenReport.Started) {
            let refused = terms.policy.strictness.refused(started.layers)
            guard refused.isEmpty else { return failStart(.layersMissing(refused)) }
            becomeReady()
        }

        mutating func holdOutputs(_ isHeld: Bool) {
            guard phase == .running else { return }
            if !outputs.hold(isHeld, for: sourceID) { kill(.reason(.outputLimit)) }
        }

        mutating func checkOutputLimit() {
            if relays, outputs.total > terms.outputLimit { kill(.reason(.outputLimit)) }
        }

        // MARK: Time

        private mutating func nextDue() -> SteadyInstant? {
            guard phase == .running else { return nil }
            var first = deadlines.earliest
            first.add(channel?.deadline)
            first.add(outputs.pauseEnd)
            first.add(waiters.lentUntil)
            first.add(watch?.escalation)
            return first.time
        }

        mutating func scheduleNext() {
            guard let due = nextDue() else { return }
            if let scheduled, scheduled <= due { return }
            scheduled = due
            Reactor.shared.wake(sourceID, at: due)
        }

        mutating func isDue(at now: SteadyInstant) {
            guard phase == .running else { return }
            if deadlines.start.pass(at: now) { failStart(.timeout) }
            if deadlines.run.pass(at: now) { kill(.reason(.deadline)) }
            if deadlines.fault.pass(at: now) { kill(.fault) }
            if let reason = deadlines.takeShutdown(at: now) { kill(.reason(reason)) }
            _ = waiters.lentUntil.pass(at: now)
            channel?.endPause(at: now)
            outputs.endPauses(at: now, for: sourceID)
            do throws(ChannelFault) {
                if let reason = try channel?.check(at: now, cancelGrace: terms.policy.cancelGrace, &events.waiting) {
                    kill(.reason(reason))
                }
            } catch { judge(error) }
            flush()
            if watch?.escalate(at: now) == true, watch?.warden == nil { deadlines.lookSoon() }
            guard deadlines.takeLook(at: now) else { return }
            if watch?.reapLauncher() == false { deadlines.lookSoon() }
            endIfOver(at: now)
        }
    }
#endif
