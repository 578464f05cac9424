#if os(Linux)
    import CLinux
    import Glibc
    import Scheduling
    import Synchronization
    import Threads

    /// A thread that looks after the sockets of many pairs, with one buffer for all of them, and takes those that
    /// arrive at listeners.
    ///
    /// It copies through that buffer: `splice` takes as many calls of the system for each message, moves it through a
    /// pipe besides, and took 18 % more processor time for messages of 64 bytes. What belongs to its pairs is done on
    /// it as on an event loop: now, or at some time.
    // @unchecked: what has no lock is used by the thread alone.
    package final class RelayThread: @unchecked Sendable {
        /// Bytes of one read, and so what waits for one direction at the most, beside what a handler says itself.
        package static let bufferBytes = 65_536
        /// Descriptors that a thread takes for itself.
        package static let descriptors = 4
        /// Events that are taken at a time.
        private static let batch = 64
        private static let wakingToken = UInt64.max
        private static let timerToken = UInt64.max - 1
        /// The first listener's token; those of others follow below.
        private static let listenerToken = UInt64.max - 2

        private struct Requests {
            var work: [@Sendable () -> Void] = []
            var isStopping = false
            var hasEnded = false
            /// Who waits for the end of the thread.
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let events: Int32
        private let timer: Int32
        private let waking: WakeDescriptor
        private let requests = Mutex(Requests())
        /// The thread's name in the system, 0 before it runs.
        private let thread = Atomic<UInt>(0)

        // What the thread alone uses.
        /// The pairs by their places. A token is the place, twice, and which of the two sides it means.
        private var pairs: [RelayedPair?] = []
        private var freePlaces: [Int] = []
        /// Places that become free behind a batch: what is left of a pair's events in it would be taken for another's.
        private var leftPlaces: [Int] = []
        /// Pairs for which something else is to be waited for than the system knows.
        private var changed: [RelayedPair] = []
        private var listeners: [SocketListener] = []
        private var timers = RelayTimers()
        /// When the system wakes the thread for the next of them.
        private var wakingTime: SteadyInstant?
        /// Whether there may be something in ``requests``.
        private var hasRequests = false
        private var isEnding = false
        /// When the system last said something, in nanoseconds of the clock that no step of the wall clock moves.
        package private(set) var moment: UInt64 = 0

        /// Starts the thread, which runs until ``stop()``.
        ///
        /// - Returns: nil if the process may have no more descriptors or threads.
        package init?() {
            guard let waking = WakeDescriptor() else { return nil }
            self.waking = waking
            (events, timer) = (clinux_events_open(), clinux_boot_timer_open())
            guard events >= 0, timer >= 0,
                clinux_events_add(events, waking.descriptor, Self.wakingToken, Interest.readable) == 0,
                clinux_events_add(events, timer, Self.timerToken, Interest.readable) == 0
            else { return nil }
            guard SystemThread.tryStart({ self.run() }) else { return nil }
        }

        deinit {
            for descriptor in [events, timer] where descriptor >= 0 { close(descriptor) }
        }

        // MARK: From any thread

        /// Whether this is called on the thread.
        package var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

        /// Does some work on the thread.
        ///
        /// - Returns: false where the thread has ended; the work is dropped then.
        @discardableResult package func execute(_ work: @escaping @Sendable () -> Void) -> Bool {
            let (isFirst, hasEnded) = requests.withLock { requests in
                guard !requests.hasEnded else { return (false, true) }
                requests.work.append(work)
                return (requests.work.count == 1, false)
            }
            if isFirst { wake() }
            return !hasEnded
        }

        /// Does some work on the thread at some time, or a little later.
        ///
        /// - Parameter work: is told whether its time has come; it has not where the thread ends before.
        package func schedule(
            at time: SteadyInstant, _ work: @escaping @Sendable (_ isDue: Bool) -> Void
        ) -> RelayTimer {
            let timer = RelayTimer(at: time, work)
            if isCurrent {
                add(timer)
            } else if !execute({ self.add(timer) }) {
                timer.finish(isDue: false)
            }
            return timer
        }

        /// Lets a timer's time pass.
        package func cancel(_ timer: RelayTimer) {
            timer.cancel()
            if isCurrent { timers.remove(timer) } else { execute { self.timers.remove(timer) } }
        }

        /// Ends all pairs and the thread. Returns once their handlers have been told.
        package func stop() async {
            await withCheckedContinuation { continuation in
                let hasEnded = requests.withLock { requests in
                    requests.isStopping = true
                    if !requests.hasEnded { requests.waiting.append(continuation) }
                    return requests.hasEnded
                }
                if hasEnded { continuation.resume() } else { wake() }
            }
        }

        /// Has the thread look at its requests before it waits.
        private func wake() {
            if isCurrent { hasRequests = true } else { waking.raise() }
        }

        // MARK: On the thread

        /// Gives the bytes of a pair to a handler until it is over. On the thread.
        ///
        /// - Parameter handler: held until then.
        package func add(_ pair: RelayedPair, to handler: any PairHandler) {
            pair.begin(on: self, handler)
            guard !isEnding else { return pair.leave() }
            let place = freePlaces.popLast() ?? pairs.count
            if place == pairs.count { pairs.append(nil) }
            pairs[place] = pair
            settle(pair, as: UInt64(place) << 1)
        }

        /// Has something else waited for from now on.
        func noteChange(of pair: RelayedPair) { changed.append(pair) }

        /// Takes the connections that arrive at a listener, until the thread ends or ``endListening()``. On the thread.
        package func add(_ listener: SocketListener) {
            listeners.append(listener)
            let token = Self.listenerToken - UInt64(listeners.count - 1)
            if isEnding || !listener.watch(by: events, as: token) { listener.close(by: events) }
        }

        /// Takes no connections any more. On the thread.
        package func endListening() {
            for listener in listeners { listener.close(by: events) }
        }

        private func accept(at listener: SocketListener, as token: UInt64) {
            guard !listener.accept() else { return }
            _ = listener.watch(by: events, as: token, isResting: true)
            wake(listener, as: token)
        }

        /// Has a listener that rests waited for again in a moment, and again where the system cannot yet.
        private func wake(_ listener: SocketListener, as token: UInt64) {
            _ = schedule(at: SocketListener.nextTime) { [weak self] isDue in
                guard let self, isDue, !listener.watch(by: self.events, as: token) else { return }
                self.wake(listener, as: token)
            }
        }

        private func add(_ timer: RelayTimer) {
            if isEnding { timer.finish(isDue: false) } else { timers.add(timer) }
        }

        private func run() {
            thread.store(pthread_self(), ordering: .relaxed)
            moment = Self.nanoseconds
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 64)
            defer { memory.deallocate() }
            var found = [clinux_event](repeating: clinux_event(), count: Self.batch)
            while true {
                let count = clinux_events_wait(events, &found, Int32(Self.batch))
                precondition(count >= 0, "waiting failed with errno \(errno)")
                moment = Self.nanoseconds
                for event in found[..<Int(count)] { take(event, with: memory) }
                settleChanged()
                freePlaces += leftPlaces
                leftPlaces.removeAll(keepingCapacity: true)
                while hasRequests { if doRequests() { return end() } }
                setTimer()
            }
        }

        private static var nanoseconds: UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
        }

        private func take(_ event: clinux_event, with memory: UnsafeMutableRawBufferPointer) {
            switch event.token {
            case Self.wakingToken:
                waking.clear()
                hasRequests = true
            case Self.timerToken: finishTimers()
            case let token where token > Self.listenerToken - UInt64(listeners.count):
                accept(at: listeners[Int(Self.listenerToken - token)], as: token)
            default:
                // One that has left may be in the same batch once more.
                guard let pair = pairs[Int(event.token >> 1)] else { return }
                pair.act(on: event.token & 1 == 0 ? .client : .service, event.interest, with: memory)
                settleChanged()
            }
        }

        /// Waits for what a pair waits for now, or lets go of it.
        private func settle(_ pair: RelayedPair, as token: UInt64) {
            guard !pair.watch(by: events, as: token) else { return }
            pairs[Int(token >> 1)] = nil
            pair.leave()
            leftPlaces.append(Int(token >> 1))
        }

        private func settleChanged() {
            while let pair = changed.popLast() {
                if pair.isPlaced { settle(pair, as: pair.token) }
            }
        }

        private func finishTimers() {
            _ = clinux_boot_timer_take(timer)
            wakingTime = nil
            let now = SteadyInstant.now
            while let timer = timers.next, timer.time <= now {
                timers.remove(timer)
                timer.finish(isDue: true)
            }
        }

        /// Has the system wake the thread for what is due next. The timer and the times have one clock.
        private func setTimer() {
            guard let next = timers.next?.time else { return }
            if let wakingTime, wakingTime <= next { return }
            wakingTime = next
            _ = clinux_boot_timer_set(timer, next.milliseconds)
        }

        /// - Returns: whether the thread is to end.
        private func doRequests() -> Bool {
            hasRequests = false
            let (work, isStopping) = requests.withLock { requests in
                defer { requests.work = [] }
                return (requests.work, requests.isStopping)
            }
            for work in work { work() }
            settleChanged()
            return isStopping
        }

        private func end() {
            isEnding = true
            endListening()
            for pair in pairs { pair?.leave() }
            pairs = []
            while let timer = timers.next {
                timers.remove(timer)
                timer.finish(isDue: false)
            }
            // What was asked for until now is done, too: who waits for it would wait for ever.
            while true {
                let (work, waiting) = requests.withLock { requests in
                    defer { requests.work = [] }
                    requests.hasEnded = requests.work.isEmpty
                    return (requests.work, requests.work.isEmpty ? requests.waiting : [])
                }
                for work in work { work() }
                for continuation in waiting { continuation.resume() }
                if work.isEmpty { return }
            }
        }
    }
#endif
