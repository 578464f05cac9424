#if os(Linux)
    import Glibc
    import Synchronization
    import Threads

    /// The workers of this process that are not gone yet, so that none of them is left when it ends.
    ///
    /// A process that exits kills them, and waits until they and their control groups are gone. One that is killed does
    /// not come to that: its workers end with it, and the next host removes their groups (``ControlGroups``).
    final class LiveWorkers: Sendable {
        static let shared = LiveWorkers()

        private struct State {
            var workers: [ObjectIdentifier: WorkerProcess] = [:]
            var endsWithProcess = false
        }

        private let state = Mutex(State())
        private let over = Atomic(false)

        /// Whether this process is about to end. What becomes of its workers is not reported any more: it would be
        /// taken for a failure.
        var isOver: Bool { over.load(ordering: .relaxed) }

        /// How long an exit waits. A worker is gone after some milliseconds, unless the machine is very busy.
        private static let patience = Duration.seconds(2)
        private static let pause = Duration.milliseconds(1)

        /// - Returns: false where this process is about to end, and starts none.
        func add(_ worker: WorkerProcess) -> Bool {
            let (isTaken, isFirst) = state.withLock { state in
                guard !isOver else { return (false, false) }
                state.workers[ObjectIdentifier(worker)] = worker
                defer { state.endsWithProcess = true }
                return (true, !state.endsWithProcess)
            }
            if isFirst { atexit { LiveWorkers.shared.end() } }
            return isTaken
        }

        /// Forgets a worker that is gone and whose owner knows it.
        func remove(_ worker: WorkerProcess) {
            state.withLock { _ = $0.workers.removeValue(forKey: ObjectIdentifier(worker)) }
        }

        /// Kills all, and waits until they and their groups are gone, but not for ever. No worker is started from now
        /// on.
        func end() {
            let workers = state.withLock { state in
                over.store(true, ordering: .relaxed)
                return Array(state.workers.values)
            }
            for worker in workers { worker.kill(.hostExit) }
            let clock = SuspendingClock()
            let end = clock.now + Self.patience
            while !isEmpty, clock.now < end { SystemThread.sleep(for: Self.pause) }
            ControlGroups.leave()
        }

        private var isEmpty: Bool { state.withLock { $0.workers.isEmpty } && GroupRemoval.shared.isIdle }
    }

    extension ForceField {
        /// Lets a signal that ends this process end its workers first, as an exit does; their control groups would stay
        /// else.
        ///
        /// For programs. A signal that is ignored, or handled otherwise, is left alone. What a signal ends it still
        /// ends: by itself, so that the parent that waits for the process sees it.
        public static func endWorkers(on signals: [Int32]) { EndingSignals.catchAll(signals) }

        /// The same, with something else that is done behind it: for what is thrown away when a program ends.
        package static func endWorkers(on signals: [Int32], then last: @escaping @Sendable () -> Void) {
            EndingSignals.add(last)
            EndingSignals.catchAll(signals)
        }
    }

    /// Signals that are caught to end the workers of this process.
    private enum EndingSignals {
        /// Where the handler writes the signal's number; -1 until there is one.
        private static let input = Atomic<Int32>(-1)

        private static let last = Mutex<[@Sendable () -> Void]>([])

        static func add(_ last: @escaping @Sendable () -> Void) { self.last.withLock { $0.append(last) } }

        static func catchAll(_ signals: [Int32]) {
            guard begin() else { return }
            for number in signals {
                var action = sigaction()
                guard sigaction(number, nil, &action) == 0, action.__sigaction_handler.sa_handler == nil else {
                    continue
                }
                action.__sigaction_handler.sa_handler = { number in EndingSignals.note(number) }
                action.sa_flags = SA_RESTART
                sigaction(number, &action, nil)
            }
        }

        /// Runs in the handler.
        private static func note(_ number: Int32) {
            var byte = UInt8(truncatingIfNeeded: number)
            let reason = errno
            _ = write(input.load(ordering: .relaxed), &byte, 1)
            errno = reason
        }

        /// - Returns: whether a thread waits for signals.
        private static func begin() -> Bool {
            guard input.load(ordering: .relaxed) < 0 else { return true }
            var ends: [Int32] = [-1, -1]
            let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
            guard socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else { return false }
            let (output, new) = (ends[0], ends[1])
            guard input.compareExchange(expected: -1, desired: new, ordering: .relaxed).exchanged else {
                close(output)
                close(new)
                return true
            }
            if SystemThread.tryStart({ wait(output) }) { return true }
            input.store(-1, ordering: .relaxed)
            close(output)
            close(new)
            return false
        }

        private static func wait(_ output: Int32) {
            var byte: UInt8 = 0
            while true {
                let count = read(output, &byte, 1)
                if count < 0, errno == EINTR { continue }
                guard count == 1 else { return }
                LiveWorkers.shared.end()
                for body in last.withLock({ $0 }) { body() }
                signal(Int32(byte), SIG_DFL)
                kill(getpid(), Int32(byte))
            }
        }
    }
#endif
