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

    /// The timers of a thread, the earliest first: a binary heap whose members know their places, so that one is taken
    /// out in a time that is logarithmic in their number. Most timers of connections never come to their time.
    struct RelayTimers {
        private var heap: [RelayTimer] = []

        var next: RelayTimer? { heap.first }

        mutating func add(_ timer: RelayTimer) {
            heap.append(timer)
            rise(timer, from: heap.count - 1)
        }

        /// - Returns: whether it was there.
        @discardableResult mutating func remove(_ timer: RelayTimer) -> Bool {
            let place = timer.place
            guard place >= 0 else { return false }
            timer.place = -1
            let last = heap.removeLast()
            guard place < heap.count else { return true }
            // One of the two moves it.
            sink(last, from: place)
            rise(last, from: last.place)
            return true
        }

        private mutating func rise(_ timer: RelayTimer, from place: Int) {
            var place = place
            while place > 0, timer.time < heap[(place - 1) / 2].time {
                put(heap[(place - 1) / 2], at: place)
                place = (place - 1) / 2
            }
            put(timer, at: place)
        }

        private mutating func sink(_ timer: RelayTimer, from place: Int) {
            var place = place
            while true {
                var child = 2 * place + 1
                guard child < heap.count else { break }
                if child + 1 < heap.count, heap[child + 1].time < heap[child].time { child += 1 }
                guard heap[child].time < timer.time else { break }
                put(heap[child], at: place)
                place = child
            }
            put(timer, at: place)
        }

        private mutating func put(_ timer: RelayTimer, at place: Int) {
            heap[place] = timer
            timer.place = place
        }
    }
#endif
