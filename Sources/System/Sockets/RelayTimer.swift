#if os(Linux)
    import Scheduling
    import Synchronization

    /// What a relay's thread is to do at some time.
    // @unchecked: its place is used by the thread alone.
    package final class RelayTimer: @unchecked Sendable {
        let time: SteadyInstant
        /// Nil once it is done or cancelled.
        private let work: Mutex<(@Sendable (_ isDue: Bool) -> Void)?>
        /// Where it is among the timers of its thread; negative where it is not.
        fileprivate var place = -1

        init(at time: SteadyInstant, _ work: @escaping @Sendable (_ isDue: Bool) -> Void) {
            self.time = time
            self.work = Mutex(work)
        }

        /// Does it, once.
        ///
        /// - Parameter isDue: false where its time will never come, because the thread ends.
        func finish(isDue: Bool) { takeWork()?(isDue) }

        /// Lets its time pass.
        func cancel() { _ = takeWork() }

        private func takeWork() -> (@Sendable (_ isDue: Bool) -> Void)? {
            work.withLock { work in
                defer { work = nil }
                return work
            }
        }
    }

    extension RelayTimer: PlacedHeapMember {
        package func isBefore(_ other: RelayTimer) -> Bool { time < other.time }

        package func settle(at place: Int, in places: inout Void) { self.place = place }
    }

    /// The timers of a thread, the earliest first. Most timers of connections never come to their time: one is taken
    /// out in a time that is logarithmic in their number.
    struct RelayTimers {
        private var heap = PlacedHeap<RelayTimer>()
        private var places: Void = ()

        var next: RelayTimer? { heap.first }

        mutating func add(_ timer: RelayTimer) { heap.add(timer, in: &places) }

        /// - Returns: whether it was there.
        @discardableResult mutating func remove(_ timer: RelayTimer) -> Bool {
            guard timer.place >= 0 else { return false }
            heap.remove(at: timer.place, in: &places)
            timer.place = -1
            return true
        }
    }
#endif
