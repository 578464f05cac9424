#if os(Linux)
    import Synchronization

    /// Lets one task wait for the reply to a call.
    final class ReplyReceiver: CallReceiver {
        typealias Reply = Result<[UInt8], ForceFieldError>

        private let state = Mutex(State.pending)

        private enum State {
            case pending
            case awaited(UnsafeContinuation<Reply, Never>)
            case finished(Reply)
        }

        func receive(_ item: [UInt8]) {}

        func finish(_ result: Reply) {
            let waiting = state.withLock { state -> UnsafeContinuation<Reply, Never>? in
                defer { state = .finished(result) }
                if case .awaited(let continuation) = state { return continuation }
                return nil
            }
            waiting?.resume(returning: result)
        }

        /// - Parameter begin: sends the call on its way.
        /// - Returns: the reply, once there is one: one task waits.
        nonisolated(nonsending) func reply(after begin: () -> Void) async -> Reply {
            await withUnsafeContinuation { continuation in
                let finished = state.withLock { state -> Reply? in
                    if case .finished(let reply) = state { return reply }
                    state = .awaited(continuation)
                    return nil
                }
                if let finished { continuation.resume(returning: finished) } else { begin() }
            }
        }
    }
#endif
