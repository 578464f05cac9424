import Synchronization

/// Runs pieces of work beside their callers, on threads outside Swift's pool. A thread that has done its piece waits
/// for the next one, since making one takes as long as a dozen calls of the system; no more than one waits.
package final class SpareThread: Sendable {
    private let waiting = Mutex<Worker?>(nil)

    package init() {}

    deinit { waiting.withLock { $0 }?.end() }

    /// Runs `body`, which may hang: what follows gets another thread then.
    ///
    /// - Returns: whether the system has a thread to give; else nothing is run.
    package func tryStart(_ body: @escaping @Sendable () -> Void) -> Bool {
        let spare = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        if let spare {
            spare.take(body)
            return true
        }
        let worker = Worker()
        worker.take(body)
        return SystemThread.tryStart { [weak self] in
            while worker.runNext(), self?.keep(worker) == true {}
        }
    }

    /// - Returns: false if another one waits already.
    private func keep(_ worker: Worker) -> Bool {
        waiting.withLock { waiting in
            guard waiting == nil else { return false }
            waiting = worker
            return true
        }
    }

    // @unchecked: everything that changes is used under the condition's lock.
    private final class Worker: @unchecked Sendable {
        private let condition = Condition()
        private var piece: (@Sendable () -> Void)?
        private var isOver = false

        func take(_ piece: @escaping @Sendable () -> Void) {
            condition.withLock {
                self.piece = piece
                condition.signal()
            }
        }

        func end() {
            condition.withLock {
                isOver = true
                condition.signal()
            }
        }

        /// Waits for a piece and runs it. What the piece holds is let go before the next wait.
        ///
        /// - Returns: false once there are no more.
        func runNext() -> Bool {
            guard let piece = next() else { return false }
            piece()
            return true
        }

        private func next() -> (@Sendable () -> Void)? {
            condition.withLock {
                while piece == nil, !isOver { condition.wait() }
                defer { piece = nil }
                return piece
            }
        }
    }
}
