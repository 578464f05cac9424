#if canImport(CTSS2)
    import Dispatch
    import Synchronization
    import Threads

    /// Asks whether a TPM that is a program answers, and waits for no longer than a limit. The kernel limits how long
    /// its devices take; the library waits for ever for a program that takes a connection and says nothing.
    ///
    /// What follows holds secrets, which belong on no other thread's stack: its answers are limited where they are read
    /// (``SoftwareTPMTransport``).
    enum SoftwareTPMGreeting {
        /// Where nothing has been said yet: nobody waits there once more, nor keeps another thread.
        private static let silent = Mutex<Set<TPMAddress>>([])
        private static let threads = SpareThread()

        /// - Parameter work: asks the TPM at the address; runs on another thread, which a silent one keeps.
        /// - Throws: what `work` fails with; ``HardwareKeyError/Obstacle/notReachable(address:)`` where it does not end
        ///   in time.
        static func run(
            at address: TPMAddress, within limit: Duration,
            _ work: @escaping @Sendable () -> Result<Void, HardwareKeyError>
        ) throws(HardwareKeyError) {
            let silence = HardwareKeyError.unavailable(.notReachable(address: address.description))
            guard !silent.withLock({ $0.contains(address) }) else { throw silence }
            let answer = Answer()
            let isStarted = threads.tryStart {
                let result = work()
                silent.withLock { silent in
                    answer.content.withLock { $0 = result }
                    silent.remove(address)
                }
                answer.isThere.signal()
            }
            guard isStarted else { return try work().get() }
            let (seconds, attoseconds) = limit.components
            let time = Double(seconds) + Double(attoseconds) / 1e18
            _ = answer.isThere.wait(timeout: .now() + time)
            let result = silent.withLock { silent in
                let result = answer.content.withLock { $0 }
                if result == nil { silent.insert(address) }
                return result
            }
            guard let result else { throw silence }
            try result.get()
        }

        private final class Answer: Sendable {
            let content = Mutex<Result<Void, HardwareKeyError>?>(nil)
            let isThere = DispatchSemaphore(value: 0)
        }
    }
#endif
