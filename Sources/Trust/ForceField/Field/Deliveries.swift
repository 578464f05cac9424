#if os(Linux)
    import Synchronization

    /// Calls what a field's owner has given to be called: one after the other, in order, and never on a thread of the
    /// field's.
    ///
    /// What a worker causes is bounded: while more than ``limit`` wait, its log lines and reports of progress are
    /// dropped.
    final class Deliveries: Sendable {
        private static let limit = 1_024
        private let waiting = Mutex(Waiting())

        private struct Waiting {
            var jobs: [@Sendable () -> Void] = []
            var isRunning = false
        }

        /// - Parameter mayDrop: it is left out if too much waits.
        func deliver(mayDrop: Bool = false, _ job: @escaping @Sendable () -> Void) {
            let begins = waiting.withLock { waiting in
                guard !mayDrop || waiting.jobs.count < Self.limit else { return false }
                waiting.jobs.append(job)
                defer { waiting.isRunning = true }
                return !waiting.isRunning
            }
            if begins { Task.detached { self.run() } }
        }

        /// Returns once everything has been delivered that was there when this was called.
        func drain() async {
            await withUnsafeContinuation { continuation in deliver { continuation.resume() } }
        }

        private func run() {
            while true {
                let jobs = waiting.withLock { waiting in
                    defer { waiting.jobs = [] }
                    waiting.isRunning = !waiting.jobs.isEmpty
                    return waiting.jobs
                }
                guard !jobs.isEmpty else { return }
                for job in jobs { job() }
            }
        }
    }
#endif
