#if os(Linux)
    import Glibc

    /// Threads outside Swift's pool, which has as many as there are processors and must never wait.
    enum SystemThread {
        /// Runs `body` on a thread of its own. No signal handler of the program runs there.
        static func start(_ body: @escaping @Sendable () -> Void) {
            precondition(tryStart(body), "no thread can be made")
        }

        /// - Returns: whether the system has a thread to give.
        static func tryStart(_ body: @escaping @Sendable () -> Void) -> Bool {
            let job = Unmanaged.passRetained(Job(body))
            var thread = pthread_t()
            let error = pthread_create(
                &thread, nil,
                { context in
                    guard let context else { return nil }
                    let job = Unmanaged<Job>.fromOpaque(context).takeRetainedValue()
                    var signals = sigset_t()
                    sigfillset(&signals)
                    pthread_sigmask(SIG_SETMASK, &signals, nil)
                    job.body()
                    return nil
                }, job.toOpaque())
            guard error == 0 else {
                job.release()
                return false
            }
            pthread_detach(thread)
            return true
        }

        private final class Job: Sendable {
            let body: @Sendable () -> Void

            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
    }
#endif
