#if os(Linux)
    import CLinux
    import ForceFieldWire
    import Glibc
    import Scheduling
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
            change { $0.sourceID = Reactor.shared.add(self) }
            guard LiveWorkers.shared.add(self) else {
                return change { $0.fail(.spawn(errno: ECANCELED)) }
            }
            Spawner.shared.perform { [self] in
                do throws(LaunchFailure) {
                    let process = try terms.launch.start()
                    change { $0.attach(process) }
                } catch {
                    change { $0.fail(error) }
                }
            }
        }

        // MARK: What its owner asks for

        /// Sends a call, or tells at once that the worker could not take it.
        ///
        /// - Parameter callerWaits: this thread calls ``waitForAnswer(to:)`` next.
        func begin(_ call: Call, callerWaits: Bool) {
            change { $0.begin(call, callerWaits: callerWaits) }
        }

        /// Lets a stream go on.
        func grant(_ call: Call, items: Int) {
            change { state in
                state.channel?.grant(call, items: items)
                state.flush()
            }
        }

        /// Tells the worker that a call's reply is not waited for any more, and kills it if it does not answer in time.
        func cancel(_ call: Call) {
            change { $0.cancel(call) }
        }

        func answer(_ id: HostCallID, _ answer: Result<BrokerAnswer, BrokerRefusal>) {
            change { state in
                switch answer {
                case .success(let answer):
                    state.channel?.answer(id, body: answer.body, descriptors: answer.descriptors)
                case .failure(let refusal): state.channel?.refuse(id, refusal.code, text: refusal.text)
                }
                state.flush()
            }
        }

        /// Asks the worker to end, and kills it if it does not in time.
        func shutDown(within grace: Duration, else reason: KillReason) {
            change { $0.shutDown(within: grace, else: reason) }
        }

        func kill(_ reason: KillReason) {
            change { $0.kill(.reason(reason)) }
        }

        /// Lets the warden kill the worker after a time, also if this process does not run then.
        func enterBackground(grace: Duration) {
            change { $0.order(.background(grace: grace)) }
        }

        func enterForeground() {
            change { $0.order(.foreground) }
        }

        /// Leaves what the worker writes in its pipes, or reads on.
        ///
        /// - Parameter isHeld: asked under the worker's lock, so that the last of several callers is right.
        func holdOutputs(_ isHeld: () -> Bool) {
            change { $0.holdOutputs(isHeld()) }
        }

        /// Bytes of memory for what has arrived on the channel and not been passed on.
        var memory: Int { state.withLock { $0.channel?.memory ?? 0 } }

        /// What the worker has at the moment.
        var summary: Summary {
            state.withLock { Summary(openCalls: $0.channel?.openCount ?? 0, wardenID: $0.watch?.wardenID) }
        }

        struct Summary: Sendable {
            /// Calls that the worker has.
            let openCalls: Int
            /// The process ID of the warden, as this process sees it; nil before it is known and after its end.
            let wardenID: Int32?
        }

        /// The layers that STARTED reported; nil before it came.
        var layers: LayerReport? {
            state.withLock { state in state.started.map { LayerReport($0.layers, landlockABI: $0.landlockABI) } }
        }

        // MARK: What the reactor tells

        func isReady(_ part: UInt8) {
            guard let part = WorkerState.Part(rawValue: part) else { return }
            change { $0.isReady(part) }
        }

        func isDue(at now: SteadyInstant) {
            change { state in
                state.scheduled = nil
                state.isDue(at: now)
            }
        }

        // MARK: Callers that wait themselves

        /// Waits for the answer on the caller's own thread: a moment, in which quick answers save two changes of
        /// threads, or as long as the call says.
        func waitForAnswer(to call: Call) {
            guard let (socket, first) = state.withLock({ $0.channelAwaited(by: call) }) else { return }
            var interest: Reactor.Interest? = first
            let end = SteadyInstant.now + (call.patience ?? CallerWait.longest)
            let pause = (call.patience == nil ? CallerWait.pause : CallerWait.patientPause).wholeNanoseconds
            while let wanted = interest, !call.isEnded, .now < end {
                if clinux_wait(socket.number, wanted.rawValue, pause) > 0 {
                    change { interest = $0.receiveForCaller() }
                } else if call.patience == nil {
                    break
                }
            }
            if interest != nil { change { $0.endCallerWait() } }
        }

        // MARK: The lock

        /// Events are delivered in the order in which they came, by whichever thread is first, while the others go on.
        private func change(_ body: (inout WorkerState) -> Void) {
            let delivers = state.withLock { state in
                body(&state)
                state.scheduleNext()
                return state.events.beginDelivery()
            }
            guard delivers else { return }
            while let events = state.withLock({ $0.events.take() }) {
                for event in events {
                    if !LiveWorkers.shared.isOver { owner.handle(event, of: self) }
                    if case .ended = event { LiveWorkers.shared.remove(self) }
                }
            }
        }
    }
#endif
