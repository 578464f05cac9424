import CLibrary

/// The processor's time that a thread uses. What else the machine does meanwhile does not count.
package enum ProcessorTime {
    /// Runs something that stays on the calling thread.
    ///
    /// - Returns: how long the processor worked on it.
    package static func measure(_ body: () throws -> Void) rethrows -> Duration {
        let start = now
        try body()
        return now - start
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
