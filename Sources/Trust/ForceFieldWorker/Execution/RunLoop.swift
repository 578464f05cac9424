#if os(Linux)
    import Scheduling

    import CLibrary

    /// Runs all of a worker's Swift code on its one thread: tasks, actors, groups and sleeping, while it waits for the
    /// host.
    ///
    /// A worker may start no threads, and Dispatch, Swift's usual executor, neither works nor ends without them.
    ///
    /// Sendable because one thread uses it, the one that made it: whatever comes from another is stopped at
    /// ``checkIsolated()``.
    ///
    /// Source: `forcefield` sections 9 and 10.
    final class RunLoop: TaskExecutor, SerialExecutor, @unchecked Sendable {
        static let shared = RunLoop()

        private let thread = pthread_self()
        private var jobs = JobQueue()
        private var timers = DueQueue<SteadyInstant, UnownedJob>()
        /// When the first of the timers is due; nil where there is none.
        private var firstTimer: SteadyInstant?

        private init() {}

        func enqueue(_ job: consuming ExecutorJob) {
            checkIsolated()
            jobs.append(UnownedJob(job))
        }

        func enqueue(_ job: consuming ExecutorJob, after delay: Duration) {
            checkIsolated()
            timers.add(UnownedJob(job), at: .now + delay)
            firstTimer = timers.next?.instant
        }

        func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

        func checkIsolated() {
            precondition(
                pthread_equal(thread, pthread_self()) != 0, "A worker has one thread; another one called Swift.")
        }

        func isIsolatingCurrentContext() -> Bool? { pthread_equal(thread, pthread_self()) != 0 }

        /// How long jobs that others add run before the source is looked at again.
        private static let patience = Duration.microseconds(100)

        /// Serves a source of events for ever. Jobs that wait run before it is looked at again, those that they add
        /// only for ``patience``, so that a task which yields does not keep the host waiting.
        func run(_ source: any EventSource) -> Never {
            while true { turn(source) }
        }

        /// Runs the jobs that wait, and not those that they add.
        func runJobs() {
            for _ in 0..<jobs.count { run(jobs.removeFirst()) }
        }

        private func turn(_ source: any EventSource) {
            runJobs()
            if jobs.count > 0 { runAddedJobs() }
            let next = next(of: source)
            if let next, case let now = SteadyInstant.now, next <= now {
                begin(dueAt: now, source)
            } else if jobs.count == 0 {
                return wait(for: source, until: next)
            }
            if hasInput(source, within: 0) { source.receive(waits: false) }
        }

        private func runAddedJobs() {
            let end = SteadyInstant.now + Self.patience
            while jobs.count > 0, .now < end { run(jobs.removeFirst()) }
        }

        private func begin(dueAt now: SteadyInstant, _ source: any EventSource) {
            if let deadline = source.deadline, deadline <= now { source.deadlinePassed(now) }
            while let job = timers.takeNext(dueAt: now) { jobs.append(job) }
            firstTimer = timers.next?.instant
        }

        private func wait(for source: any EventSource, until next: SteadyInstant?) {
            guard let next else { return source.receive(waits: true) }
            if isReady(source, before: next) { source.receive(waits: false) }
        }

        private func run(_ job: UnownedJob) {
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        }

        /// When something is due, nil for never.
        private func next(of source: any EventSource) -> SteadyInstant? {
            let deadline = source.deadline
            return firstTimer.map { min($0, deadline ?? $0) } ?? deadline
        }

        /// Waits until something has arrived.
        ///
        /// - Returns: whether it has.
        private func isReady(_ source: any EventSource, before next: SteadyInstant) -> Bool {
            let (seconds, attoseconds) = max(.zero, SteadyInstant.now.duration(to: next)).components
            // Rounded up, so that it is due when the wait is over.
            let milliseconds = min(seconds, 3_600) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
            return hasInput(source, within: Int32(milliseconds))
        }

        private func hasInput(_ source: any EventSource, within milliseconds: Int32) -> Bool {
            var request = pollfd(fd: source.descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&request, 1, milliseconds) == 1
        }
    }

    /// What a run loop waits for beside its timers.
    protocol EventSource {
        /// Readable when there is something to ``receive(waits:)``.
        var descriptor: Int32 { get }
        /// When ``deadlinePassed(_:)`` is due; nil for never.
        var deadline: SteadyInstant? { get }
        /// - Parameter waits: until something has arrived.
        func receive(waits: Bool)
        func deadlinePassed(_ now: SteadyInstant)
    }

    /// Jobs, first in first out.
    private struct JobQueue {
        private var jobs: [UnownedJob] = []
        private var start = 0

        var count: Int { jobs.count - start }

        mutating func append(_ job: UnownedJob) { jobs.append(job) }

        mutating func removeFirst() -> UnownedJob {
            defer {
                start += 1
                // Moves the rest at the most as often as jobs were taken out.
                if start > jobs.count / 2 {
                    jobs.removeSubrange(..<start)
                    start = 0
                }
            }
            return jobs[start]
        }
    }
#endif
