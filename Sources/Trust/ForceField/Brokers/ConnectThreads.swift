#if os(Linux)
    import ForceFieldWire
    import Synchronization
    import Threads

    /// Threads for what waits, as looking up a name and connecting do, which no thread of Swift's pool may: one for
    /// each, and so many at a time for all workers of this process. Those of a worker that has been killed go on until
    /// their time is over.
    final class ConnectThreads: Sendable {
        private let limit: Int
        private let running = Mutex(0)

        init(limit: Int) { self.limit = limit }

        /// - Throws: ``BrokerRefusal`` of `body`; `busy` if too many run, or the system has no thread to give.
        func run<Value: Sendable>(
            _ body: @escaping @Sendable () throws(BrokerRefusal) -> Value
        ) async throws(BrokerRefusal) -> Value {
            let isFree = running.withLock { running in
                guard running < limit else { return false }
                running += 1
                return true
            }
            guard isFree else { throw Self.busy }
            let result: Result<Value, BrokerRefusal> = await withUnsafeContinuation { continuation in
                let isStarted = SystemThread.tryStart { [self] in
                    var result: Result<Value, BrokerRefusal>
                    do throws(BrokerRefusal) { result = .success(try body()) } catch { result = .failure(error) }
                    running.withLock { $0 -= 1 }
                    continuation.resume(returning: result)
                }
                guard !isStarted else { return }
                running.withLock { $0 -= 1 }
                continuation.resume(returning: .failure(Self.busy))
            }
            return try result.get()
        }

        private static let busy = BrokerRefusal(.busy, "the host makes as many connections as it can")
    }
#endif
