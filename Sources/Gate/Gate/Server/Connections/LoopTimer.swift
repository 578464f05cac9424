internal import NIOCore

#if os(Linux)
    internal import Scheduling
    internal import Sockets
#endif

/// What a connection does at some time, on its event loop.
struct LoopTimer {
    private let cancelled: () -> Void

    fileprivate init(cancelled: @escaping () -> Void) { self.cancelled = cancelled }

    /// Lets the time pass. After it has come nothing changes.
    func cancel() { cancelled() }
}

extension EventLoop {
    /// Does something later. On a relay's thread there is no future behind it, which would be kept for nobody.
    func startTimer(in time: TimeAmount, _ act: @escaping @Sendable () -> Void) -> LoopTimer {
        #if os(Linux)
            if let loop = self as? RelayLoop {
                let timer = loop.thread.schedule(at: .now + .nanoseconds(time.nanoseconds)) { isDue in
                    if isDue { act() }
                }
                return LoopTimer { [thread = loop.thread] in thread.cancel(timer) }
            }
        #endif
        let task = scheduleTask(in: time, act)
        return LoopTimer { task.cancel() }
    }

    func startTimer(at deadline: NIODeadline, _ act: @escaping @Sendable () -> Void) -> LoopTimer {
        startTimer(in: deadline - now, act)
    }
}
