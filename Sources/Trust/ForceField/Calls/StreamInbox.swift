#if os(Linux)
    import Synchronization

    /// Items of a stream that have arrived and not been consumed. What has been consumed lets the worker send more.
    final class StreamInbox: CallReceiver {
        typealias Next = Result<[UInt8]?, ForceFieldError>

        /// Items that the worker may be ahead.
        private let window: Int
        private let state = Mutex(State())

        private struct State {
            /// The call holds this inbox.
            weak var call: Call?
            var items: [[UInt8]] = []
            /// The number of `items`, counted from the first, that are consumed.
            var start = 0
            /// Items that are consumed, and not told to the worker yet.
            var consumed = 0
            var end: Result<[UInt8], ForceFieldError>?
            var waiting: UnsafeContinuation<Next, Never>?

            mutating func take() -> Next? {
                if start < items.count {
                    defer {
                        items[start] = []
                        start += 1
                        compact()
                    }
                    consumed += 1
                    return .success(items[start])
                }
                return end.map { $0.map { _ in nil } }
            }

            /// Also where some wait all the time, no more than twice as many places are kept.
            private mutating func compact() {
                guard start == items.count || start >= 64 && start * 2 >= items.count else { return }
                items.removeFirst(start)
                start = 0
            }
        }

        init(window: Int) { self.window = window }

        /// Places that are kept, of items consumed and not.
        var placeCount: Int { state.withLock { $0.items.count } }

        func begin(_ call: Call) { state.withLock { $0.call = call } }

        func receive(_ item: [UInt8]) {
            resume { $0.end == nil ? $0.items.append(item) : () }
        }

        func finish(_ result: Result<[UInt8], ForceFieldError>) {
            resume { state in
                state.end = result
                // After an error nothing that came before it counts.
                if case .failure = result { (state.items, state.start) = ([], 0) }
            }
        }

        private func resume(_ change: (inout State) -> Void) {
            let resumption = state.withLock { state -> (UnsafeContinuation<Next, Never>, Next)? in
                change(&state)
                guard let waiting = state.waiting, let next = state.take() else { return nil }
                state.waiting = nil
                return (waiting, next)
            }
            resumption?.0.resume(returning: resumption?.1 ?? .success(nil))
        }

        /// Waits for the next item. Only one task may consume.
        nonisolated(nonsending) func next() async -> Next {
            grant()
            return await withUnsafeContinuation { continuation in
                let next = state.withLock { state -> Next? in
                    if let next = state.take() { return next }
                    precondition(state.waiting == nil, "a stream is consumed by one task")
                    state.waiting = continuation
                    return nil
                }
                if let next { continuation.resume(returning: next) }
            }
        }

        /// Half a window at a time, so that not each item costs a frame.
        private func grant() {
            let granted = state.withLock { state -> (Call, Int)? in
                guard let call = state.call, state.end == nil, state.consumed * 2 >= window else { return nil }
                defer { state.consumed = 0 }
                return (call, state.consumed)
            }
            if let (call, items) = granted { call.worker?.grant(call, items: items) }
        }
    }
#endif
