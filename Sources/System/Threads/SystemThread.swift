import CLibrary

/// Threads outside Swift's pool, which has as many as there are processors and must never wait.
///
/// Foundation's would do, and bring tables of languages and calendars along: 40 MB in a program that carries its
/// libraries.
package enum SystemThread {
    /// What a conversation or a wait needs, and not the megabytes of a main thread.
    package static let usualStackSize = 512 * 1024

    /// Runs `body` on a thread of its own. No signal handler of the program runs there.
    ///
    /// It ends the process where the system has none to give, and so is for what a program cannot be without. What
    /// somebody outside can cause takes ``tryStart(stackSize:_:)``.
    ///
    /// - Parameter stackSize: in bytes.
    package static func start(stackSize: Int = usualStackSize, _ body: @escaping @Sendable () -> Void) {
        precondition(tryStart(stackSize: stackSize, body), "no thread can be made")
    }

    /// Runs `body` on a thread of its own, and on the caller's where the system has none to give: for work that the
    /// caller waits for anyway.
    package static func startOrRun(_ body: @escaping @Sendable () -> Void) {
        if !tryStart(body) { body() }
    }

    /// - Returns: whether the system has a thread to give.
    package static func tryStart(
        stackSize: Int = usualStackSize, _ body: @escaping @Sendable () -> Void
    ) -> Bool {
        let job = Unmanaged.passRetained(Job(body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let error = pthread_create(&thread, &attributes, runJob, job.toOpaque())
        guard error == 0 else {
            job.release()
            return false
        }
        return true
    }

    /// Sleeps at least so long, whatever signals come.
    package static func sleep(for time: Duration) {
        let (seconds, attoseconds) = time.components
        guard time > .zero else { return }
        var wanted = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        var left = timespec()
        while nanosleep(&wanted, &left) != 0, errno == EINTR { wanted = left }
    }

    fileprivate final class Job: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }

        func run() {
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_SETMASK, &signals, nil)
            body()
        }
    }
}

#if canImport(Glibc)
    private func runJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let context else { return nil }
        Unmanaged<SystemThread.Job>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
#else
    private func runJob(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<SystemThread.Job>.fromOpaque(context).takeRetainedValue().run()
        return nil
    }
#endif
