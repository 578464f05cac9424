#if os(Linux)
    import Scheduling

    /// The times at which sources are due, one for each.
    struct DueTimes {
        /// Times that are void stay until they are next.
        private var queue = DueQueue<SteadyInstant, UInt64>()
        private var times: [UInt64: SteadyInstant] = [:]

        /// The first time that counts.
        var next: SteadyInstant? { queue.next?.instant }

        /// An earlier time of the same source stays.
        ///
        /// - Returns: whether it is before all others.
        mutating func insert(_ id: UInt64, at time: SteadyInstant) -> Bool {
            if let known = times[id], known <= time { return false }
            let isFirst = next.map { time < $0 } ?? true
            times[id] = time
            queue.add(id, at: time)
            return isFirst
        }

        mutating func remove(_ id: UInt64) {
            times[id] = nil
            dropVoid()
        }

        /// - Returns: the sources that are due, which then have no time.
        mutating func takeDue(at now: SteadyInstant) -> [UInt64] {
            var due: [UInt64] = []
            dropVoid()
            while let id = queue.takeNext(dueAt: now) {
                times[id] = nil
                due.append(id)
                dropVoid()
            }
            return due
        }

        /// Drops entries whose source has another time, or none.
        private mutating func dropVoid() {
            while let first = queue.next, times[first.payload] != first.instant { _ = queue.takeNext() }
        }
    }
#endif
