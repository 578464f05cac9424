#if os(Linux)
    import Synchronization

    /// What a relay's thread is to do at some time.
    package final class RelayTimer: Sendable {
        /// Nil once it is done or cancelled.
        private let work: Mutex<(@Sendable (_ isDue: Bool) -> Void)?>

        init(_ work: @escaping @Sendable (_ isDue: Bool) -> Void) { self.work = Mutex(work) }

        var isWanted: Bool { work.withLock { $0 != nil } }

        /// Does it, once.
        ///
        /// - Parameter isDue: false where its time will never come, because the thread ends.
        func finish(isDue: Bool) {
            let work = work.withLock { work in
                defer { work = nil }
                return work
            }
            work?(isDue)
        }

        /// - Returns: whether it was still to be done.
        func cancel() -> Bool {
            let work = work.withLock { work in
                defer { work = nil }
                return work
            }
            return work != nil
        }
    }
#endif
