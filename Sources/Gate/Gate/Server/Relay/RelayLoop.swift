#if os(Linux)
    internal import Dispatch
    internal import NIOCore
    internal import Scheduling
    internal import Sockets

    /// A relay's thread as an event loop: what belongs to its connections is done and timed on it as on SwiftNIO's own.
    ///
    /// It has no channels, and ends with its ``SocketRelays``; what was to be done on it after that is dropped.
    final class RelayLoop: EventLoop {
        let thread: RelayThread

        init(_ thread: RelayThread) { self.thread = thread }

        var inEventLoop: Bool { thread.isCurrent }

        /// On the loop the time at which it was last woken: what follows is done in much less than what is timed here.
        var now: NIODeadline { inEventLoop ? .uptimeNanoseconds(thread.moment) : .now() }

        func execute(_ task: @escaping @Sendable () -> Void) { thread.execute(task) }

        func submit<T>(_ task: @escaping @Sendable () throws -> T) -> EventLoopFuture<T> {
            scheduleTask(deadline: .now(), task).futureResult
        }

        @discardableResult func scheduleTask<T>(
            deadline: NIODeadline, _ task: @escaping @Sendable () throws -> T
        ) -> Scheduled<T> {
            let promise = makePromise(of: T.self)
            let time = SteadyInstant.now + .nanoseconds((deadline - .now()).nanoseconds)
            let timer = thread.schedule(at: time) { isDue in
                guard isDue else { return promise.fail(EventLoopError.shutdown) }
                promise.assumeIsolated().completeWith(Result(catching: task))
            }
            return Scheduled(promise: promise) { [thread] in thread.cancel(timer) }
        }

        @discardableResult func scheduleTask<T>(
            in time: TimeAmount, _ task: @escaping @Sendable () throws -> T
        ) -> Scheduled<T> {
            scheduleTask(deadline: .now() + time, task)
        }

        func shutdownGracefully(queue: DispatchQueue, _ callback: @escaping @Sendable ((any Error)?) -> Void) {
            queue.async { callback(EventLoopError.unsupportedOperation) }
        }
    }
#endif
