#if os(Linux)
    /// Events that the owner of a worker has not been told yet, which one thread at a time tells it.
    struct WorkerEvents {
        var waiting: [WorkerEvent] = []
        /// Whether some thread tells the owner what is waiting.
        private var isDelivering = false

        /// - Returns: whether the calling thread is to deliver events, as long as ``take()`` gives some.
        mutating func beginDelivery() -> Bool {
            guard !waiting.isEmpty, !isDelivering else { return false }
            isDelivering = true
            return true
        }

        /// - Returns: nil when there are no more, and another thread may deliver the next.
        mutating func take() -> [WorkerEvent]? {
            guard !waiting.isEmpty else {
                isDelivering = false
                return nil
            }
            defer { waiting = [] }
            return waiting
        }

        mutating func append(_ event: WorkerEvent) { waiting.append(event) }
    }
#endif
