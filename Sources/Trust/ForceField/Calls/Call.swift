#if os(Linux)
    import Files
    import ForceFieldWire
    import Scheduling
    import Synchronization

    /// Where the answer to a call goes.
    protocol CallReceiver: AnyObject, Sendable {
        /// An item of a stream.
        func receive(_ item: [UInt8])
        /// Ends the call. Called once, and nothing after it.
        func finish(_ result: Result<[UInt8], ForceFieldError>)
    }

    /// One call on its way: into the queue, to a worker and back. It ends once, by a reply, an error, its deadline, its
    /// task, or the end of its worker.
    final class Call: Sendable {
        let method: MethodID
        let name: String
        let kind: CallKind
        let body: [UInt8]
        let descriptors: [OpenFile]
        let deadline: SteadyInstant?
        let onProgress: (@Sendable (CallProgress) -> Void)?
        let patience: Duration?
        /// The call gets a worker that has had no other, and will have none.
        let needsFreshWorker: Bool
        let receiver: any CallReceiver
        private let state = Mutex(State())
        /// Set under the lock of `state`; read without it.
        private let ended = Atomic(false)

        private struct State {
            var worker: WorkerProcess?
            /// Workers that were about to end when they were given it.
            var refusals = 0
            /// Whether its worker had other calls when it ended.
            var sharedWorker = false
        }

        private static let mostRefusals = 3

        init(
            _ signature: MethodSignature, _ kind: CallKind, body: [UInt8], options: CallOptions,
            deadline: SteadyInstant?, needsFreshWorker: Bool = false, to receiver: any CallReceiver
        ) {
            method = signature.id
            name = signature.name
            self.kind = kind
            self.body = body
            descriptors = options.descriptors.map(\.copy)
            onProgress = options.onProgress
            patience = options.patience
            self.deadline = deadline
            self.needsFreshWorker = needsFreshWorker
            self.receiver = receiver
        }

        /// Whether its caller may wait for the answer on its own thread.
        var mayWait: Bool { patience != .zero }

        func isOverdue(at now: SteadyInstant) -> Bool { deadline.map { $0 <= now } ?? false }

        var isEnded: Bool { ended.load(ordering: .acquiring) }
        var worker: WorkerProcess? { state.withLock { $0.worker } }

        /// - Returns: whether the call still wants a worker.
        func assign(to worker: WorkerProcess) -> Bool {
            state.withLock { state in
                guard !isEnded else { return false }
                state.worker = worker
                return true
            }
        }

        /// Whether the worker that ended had other calls, so that it is not known which of them ended it.
        var sharedWorker: Bool { state.withLock { $0.sharedWorker } }

        /// The worker has ended, and had other calls. Said before ``end(_:)``.
        func noteSharedWorker() { state.withLock { $0.sharedWorker = true } }

        /// The worker has not taken the call, which has none from now on.
        ///
        /// - Returns: whether another is to be asked.
        func mayTryAgain() -> Bool {
            state.withLock { state in
                state.worker = nil
                state.refusals += 1
                return state.refusals < Self.mostRefusals
            }
        }

        /// - Returns: whether it had not ended before.
        @discardableResult
        func end(_ result: Result<[UInt8], ForceFieldError>) -> Bool {
            let isFirst = state.withLock { _ in !ended.exchange(true, ordering: .acquiringAndReleasing) }
            if isFirst { receiver.finish(result) }
            return isFirst
        }
    }
#endif
