#if os(Linux)
    import CLinux
    import ForceFieldWire
    import Glibc
    import Synchronization

    /// One worker from its launch to its end: its process, its channel and its outputs.
    ///
    /// Callers and the reactor's thread share it under one lock, so that a request is written by the thread that makes
    /// the call. What happens is told to the owner without the lock.
    final class WorkerProcess: ReactorSource {
        let terms: WorkerTerms
        /// The worker's owner, which is held until the worker has ended.
        private let owner: any WorkerOwner
        private let state: Mutex<WorkerState>

        /// Starts the worker on the spawner's thread.
        init(_ terms: WorkerTerms, owner: any WorkerOwner) {
            self.terms = terms
            self.owner = owner
            state = Mutex(WorkerState(terms, at: .now))
        }

        func launch() {
            change { state, _ in state.sourceID = Reactor.shared.add(self) }
            guard LiveWorkers.shared.add(self) else {
                return change { state, news in state.fail(.spawn(errno: ECANCELED), &news) }
            }
            Spawner.shared.perform { [self] in
                do throws(LaunchFailure) {
                    let process = try terms.launch.start()
                    change { state, news in state.attach(process, &news) }
                } catch {
                    change { state, news in state.fail(error, &news) }
                }
            }
        }

        // MARK: What its owner asks for

        /// Sends a call, or tells at once that the worker could not take it.
        ///
        /// - Parameter callerWaits: this thread calls ``linger(for:)`` next.
        func begin(_ call: Call, callerWaits: Bool) {
            change { state, news in state.begin(call, callerWaits: callerWaits, &news) }
        }

        /// Lets a stream go on.
        func grant(_ call: Call, items: Int) {
            change { state, news in
                state.dialogue?.grant(call, items: items)
                state.flush(&news)
            }
        }

        /// Tells the worker that a call's reply is not waited for any more, and kills it if it does not answer in time.
        func abandon(_ call: Call) {
            change { state, news in state.abandon(call, .cancelled, &news) }
        }

        func answer(_ id: HostCallID, _ answer: Result<BrokerAnswer, BrokerRefusal>) {
            change { state, news in
                switch answer {
                case .success(let answer): state.dialogue?.answer(id, answer.body, answer.descriptors)
                case .failure(let refusal): state.dialogue?.refuse(id, refusal.code, refusal.text)
                }
                state.flush(&news)
            }
        }

        /// Asks the worker to end, and kills it if it does not in time.
        func shutDown(within grace: Duration, else reason: KillReason) {
            change { state, news in state.shutDown(within: grace, else: reason, &news) }
        }

        func kill(_ reason: KillReason) {
            change { state, _ in state.kill(.reason(reason)) }
        }

        /// Lets the warden kill the worker after a time, also if this process does not run then.
        func enterBackground(grace: Duration) {
            change { state, _ in state.order(.background(graceMilliseconds: UInt32(clamping: grace.wholeMilliseconds)))
            }
        }

        func enterForeground() {
            change { state, _ in state.order(.foreground) }
        }

        /// Leaves what the worker writes in its pipes, or reads on.
        ///
        /// - Parameter isHeld: asked under the worker's lock, so that the last of several callers is right.
        func holdOutputs(_ isHeld: () -> Bool) {
            change { state, _ in state.holdOutputs(isHeld()) }
        }

        /// Bytes of memory for what has arrived on the channel and not been passed on.
        var memory: Int { state.withLock { $0.dialogue?.memory ?? 0 } }

        /// Calls that the worker has.
        var openCalls: Int { state.withLock { $0.dialogue?.openCount ?? 0 } }

        /// The process ID of the warden, as this process sees it; nil before it is known and after its end.
        var wardenID: Int32? { state.withLock { $0.watch?.wardenID } }

        /// The layers that STARTED reported; nil before it came.
        var layers: LayerReport? {
            state.withLock { state in state.started.map { LayerReport($0.layers, landlockABI: $0.landlockABI) } }
        }

        // MARK: What the reactor tells

        func isReady(_ part: UInt8) {
            guard let part = WorkerState.Part(rawValue: part) else { return }
            change { state, news in state.isReady(part, &news) }
        }

        func isDue(at now: ContinuousClock.Instant) {
            change { state, news in
                state.scheduled = nil
                state.isDue(at: now, &news)
            }
        }

        // MARK: Lingering

        /// Waits for the answer on the caller's own thread: a moment, in which quick answers save two changes of
        /// threads, or as long as the call says.
        func linger(for call: Call) {
            guard let (channel, first) = state.withLock({ $0.lingering(for: call) }) else { return }
            var interest: Reactor.Interest? = first
            let end = ContinuousClock.now + (call.patience ?? Lingering.longest)
            let pause = call.patience == nil ? Lingering.nanoseconds : Lingering.patientNanoseconds
            while let wanted = interest, !call.isEnded, .now < end {
                if clinux_wait(channel.number, wanted.rawValue, pause) > 0 {
                    change { state, news in interest = state.linger(&news) }
                } else if call.patience == nil {
                    break
                }
            }
            change { state, _ in state.endLingering() }
        }

        // MARK: The lock

        /// News is told in the order in which it came, by whichever thread is first, while the others go on.
        private func change(_ body: (inout WorkerState, inout [WorkerNews]) -> Void) {
            let isFirst = state.withLock { state in
                var news: [WorkerNews] = []
                swap(&news, &state.news)
                body(&state, &news)
                swap(&news, &state.news)
                state.scheduleNext()
                guard !state.news.isEmpty, !state.isTelling else { return false }
                state.isTelling = true
                return true
            }
            guard isFirst else { return }
            while let news = nextNews() {
                for entry in news {
                    if !LiveWorkers.shared.isOver { owner.worker(self, says: entry) }
                    if case .ended = entry { LiveWorkers.shared.remove(self) }
                }
            }
        }

        private func nextNews() -> [WorkerNews]? {
            state.withLock { state in
                guard !state.news.isEmpty else {
                    state.isTelling = false
                    return nil
                }
                defer { state.news = [] }
                return state.news
            }
        }
    }
#endif
