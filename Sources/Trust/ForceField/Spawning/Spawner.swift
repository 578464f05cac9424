#if os(Linux)
    import Synchronization
    import Threads

    /// The one thread of this process that starts workers. It never ends, since what a kernel ties to a parent it ties
    /// to a thread.
    ///
    /// Source: `forcefield` section 4.
    final class Spawner: Sendable {
        static let shared = Spawner()

        private let jobs = Mutex<[@Sendable () -> Void]>([])
        private let arrivals = ThreadSignal()

        private init() { SystemThread.start { self.run() } }

        /// Runs a job behind those that wait.
        func perform(_ job: @escaping @Sendable () -> Void) {
            jobs.withLock { $0.append(job) }
            arrivals.raise()
        }

        private func run() -> Never {
            while true {
                arrivals.wait()
                let taken = jobs.withLock { jobs in
                    defer { jobs = [] }
                    return jobs
                }
                for job in taken { job() }
            }
        }
    }
#endif
