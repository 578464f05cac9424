#if os(Linux)
    import ForceFieldWire
    import Scheduling
    import Synchronization

    /// The workers of one field. Callers and the reactor's thread share it under one lock, which is never held while a
    /// worker's is taken.
    final class WorkerPool: WorkerOwner, ReactorSource {
        private let terms: WorkerTerms
        private let services: HostServices
        private let onSurface: (@Sendable (SurfaceFrame) -> Void)?
        private let journal: FieldJournal
        private let state: Mutex<PoolState>
        private let sourceID = Mutex<UInt64>(0)
        private let isQuarantineUsed = Atomic(false)
        private let isThrottleUsed = Atomic(false)

        init(
            _ terms: WorkerTerms, services: HostServices, onSurface: (@Sendable (SurfaceFrame) -> Void)?,
            journal: FieldJournal
        ) {
            self.terms = terms
            self.services = services
            self.onSurface = onSurface
            self.journal = journal
            state = Mutex(PoolState(terms.policy))
        }

        /// Starts the workers that are kept although there are no calls.
        func start() {
            sourceID.withLock { $0 = Reactor.shared.add(self) }
            change { _, _ in }
        }

        // MARK: Calls

        /// - Parameter callerWaits: this thread waits for the answer next, if a worker takes the call at once
        ///   (``WorkerProcess/waitForAnswer(to:)``).
        func submit(_ call: Call, callerWaits: Bool = false) {
            perform(
                decide { state, now in state.submit(call, at: now) },
                awaiting: callerWaits ? call : nil)
        }

        /// Ends a call for its caller. The worker that has it is told.
        func cancel(_ call: Call) {
            guard call.end(.failure(.cancelled)) else { return }
            if let worker = call.worker {
                worker.cancel(call)
            } else {
                change { state, _ in state.remove(call) }
            }
        }

        // MARK: Answers, judged

        /// A call's answer was believed: a reply of its type, which its caller accepts, or an error of the worker's.
        /// Takes no lock where no worker has ended that slows down the next.
        func noteGoodAnswer() {
            guard isThrottleUsed.load(ordering: .acquiring) else { return }
            change { state, _ in
                state.judge(isGood: true)
                isThrottleUsed.store(state.throttle.isUsed, ordering: .releasing)
            }
        }

        /// Replies were not believed, and nobody knows whose fault that is.
        func noteBadAnswer() { change { state, _ in state.judge(isGood: false) } }

        /// A call's reply was not believed: its worker gets no more calls.
        func refuseAnswer(to call: Call) {
            change { state, _ in
                state.judge(isGood: false)
                if let worker = call.worker { state.retire(worker, .invalidReply) }
            }
        }

        // MARK: Quarantine

        /// Whether an input has ended a worker, or may have: until then a call takes no lock for this.
        var hasSuspects: Bool { isQuarantineUsed.load(ordering: .acquiring) }

        func refuses(_ digest: [UInt8]) -> Bool { state.withLock { $0.quarantine.refuses(digest) } }

        func strike(_ digest: [UInt8]) { quarantine { $0.strike(digest) } }

        func isSuspect(_ digest: [UInt8]) -> Bool { state.withLock { $0.quarantine.isSuspect(digest) } }

        func suspect(_ digest: [UInt8]) { quarantine { $0.suspect(digest) } }

        private func quarantine(_ change: (inout Quarantine) -> Void) {
            state.withLock { change(&$0.quarantine) }
            isQuarantineUsed.store(true, ordering: .releasing)
        }

        // MARK: The whole pool

        func handle(_ pressure: MemoryPressure) {
            change { state, _ in state.retireForMemory(pressure) }
        }

        func retireUsed() {
            change { state, _ in state.retireUsed() }
        }

        func enterBackground(grace: Duration) {
            change { state, _ in state.enterBackground(grace: grace) }
        }

        func enterForeground() {
            change { state, _ in state.enterForeground() }
        }

        /// Ends all workers, without waiting for their ends.
        func close() {
            change { state, _ in state.close() }
        }

        /// Returns when all workers of a closed pool are gone and their ends have been told.
        func waitUntilEmpty() async {
            await withUnsafeContinuation { continuation in
                if state.withLock({ $0.wait(continuation) }) { continuation.resume() }
            }
            await journal.deliveries.drain()
            await terms.launch.pendingGroups.finish()
        }

        /// A call that was given to a worker and has not reached it is neither open nor waiting.
        var summary: FieldSummary {
            var (workers, summary) = state.withLock { state in
                (
                    state.members.map(\.worker),
                    FieldSummary(
                        workers: state.members.count, ready: state.members.count(where: \.isIdle), openCalls: 0,
                        waitingCalls: state.queue.count, spawnDelay: state.throttle.delay(at: .now),
                        quarantined: state.quarantine.count, wardenIDs: [])
                )
            }
            for worker in workers.map(\.summary) {
                summary.openCalls += worker.openCalls
                if let id = worker.wardenID { summary.wardenIDs.append(id) }
            }
            return summary
        }

        // MARK: What happens

        func handle(_ event: WorkerEvent, of worker: WorkerProcess) {
            switch event {
            case .isReady(let capacity):
                if let layers = worker.layers { journal.started(layers) }
                change { state, _ in state.ready(worker, capacity: capacity) }
            case .answered(let call, let result): answered(call, result, by: worker)
            case .notTaken(let call):
                change { state, _ in state.takeBack(call, from: worker) }
            case .item(let call, let body): call.receiver.receive(body)
            case .progress(let call, let progress): journal.progress(call, progress)
            case .missedDeadline(let call):
                change { state, _ in state.retire(worker, .deadline) }
                call.end(.failure(.deadlineExceeded))
            case .hostCall(let id, let capability, let body): serve(id, capability, body: body, for: worker)
            case .log(let level, let text): journal.workerLog(level, text)
            case .output: return
            case .ended(let report, let calls): ended(worker, report, calls: calls)
            }
        }

        /// The worker is free before its caller goes on, who may call again at once; what else there is to do comes
        /// after.
        private func answered(_ call: Call, _ result: Result<[UInt8], ForceFieldError>, by worker: WorkerProcess) {
            let actions = decide { state, now in state.answered(by: worker, at: now) }
            call.end(result)
            perform(actions)
        }

        private func ended(_ worker: WorkerProcess, _ report: TerminationReport, calls: [Call]) {
            if calls.count > 1 { for call in calls { call.noteSharedWorker() } }
            for call in calls {
                let wasOpen = call.end(.failure(.terminated(report.termination)))
                // A caller that waits for a call sees to this itself.
                if !wasOpen, report.termination.isAbnormal {
                    journal.deliveries.deliver { [self] in remember(call) }
                }
            }
            journal.ended(report) { [self] in change { state, _ in state.endWasDelivered() } }
            change { state, now in
                state.ended(worker, report.termination, at: now)
                isThrottleUsed.store(state.throttle.isUsed, ordering: .releasing)
            }
        }

        private func serve(_ id: HostCallID, _ capability: MethodID, body: [UInt8], for worker: WorkerProcess) {
            let services = state.withLock { state in state.members.first { $0.worker === worker }?.services }
            guard let services else { return }
            let limit = terms.policy.descriptorLimit(answering: capability)
            Task.detached {
                worker.answer(id, await services.answer(capability, body, descriptorLimit: limit))
            }
        }

        func isReady(_ part: UInt8) {}

        func isDue(at now: SteadyInstant) {
            change { state, now in
                state.scheduled = nil
                state.due(at: now)
            }
        }

        // MARK: The lock

        private typealias Decision = (inout PoolState, SteadyInstant) -> Void

        private func change(_ body: Decision) { perform(decide(body)) }

        private func decide(_ body: Decision) -> [PoolAction] {
            let now = SteadyInstant.now
            let (actions, due) = state.withLock { state in
                body(&state, now)
                state.balance(at: now, make: makeMember)
                return (state.takeActions(), state.scheduleNext())
            }
            if let due { Reactor.shared.wake(sourceID.withLock { $0 }, at: due) }
            return actions
        }

        /// - Parameter awaited: the call whose answer this thread waits for next.
        private func perform(_ actions: [PoolAction], awaiting awaited: Call? = nil) {
            for action in actions {
                switch action {
                case .launch(let worker): worker.launch()
                case .begin(let call, let worker): worker.begin(call, callerWaits: call === awaited)
                case .end(let call, let error): call.end(.failure(error))
                case .shutDown(let worker, let grace, let reason): worker.shutDown(within: grace, else: reason)
                case .kill(let worker, let reason): worker.kill(reason)
                case .background(let worker, let grace): worker.enterBackground(grace: grace)
                case .foreground(let worker): worker.enterForeground()
                case .closed(let waiters):
                    Reactor.shared.remove(sourceID.withLock { $0 })
                    for waiter in waiters { waiter.resume() }
                }
            }
        }

        private func makeMember() -> PoolMember {
            var services = services
            for capability in terms.policy.capabilities {
                switch capability {
                case .networkClient(let endpoints): NetworkBroker(endpoints: endpoints).register(in: &services)
                case .surface(let width, let height):
                    guard let layout = SurfaceLayout(width: width, height: height), let onSurface else { continue }
                    SurfaceBroker(layout, present: onSurface)?.register(in: &services)
                default: continue
                }
            }
            return PoolMember(
                worker: WorkerProcess(terms, owner: self), services: services,
                quota: Quota(terms.policy.lifetime, startedAt: .now))
        }
    }
#endif
