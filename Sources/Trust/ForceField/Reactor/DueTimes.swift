#if os(Linux)
    /// The times at which sources are due, one for each.
    struct DueTimes {
        private var heap: [Entry] = []
        private var times: [UInt64: ContinuousClock.Instant] = [:]

        private struct Entry {
            let time: ContinuousClock.Instant
            let id: UInt64
        }

        /// The first time that counts.
        var next: ContinuousClock.Instant? { heap.first?.time }

        /// An earlier time of the same source stays.
        ///
        /// - Returns: whether it is before all others.
        mutating func insert(_ id: UInt64, at time: ContinuousClock.Instant) -> Bool {
            if let known = times[id], known <= time { return false }
            times[id] = time
            push(Entry(time: time, id: id))
            return heap[0].id == id && heap[0].time == time
        }

        mutating func remove(_ id: UInt64) {
            times[id] = nil
            dropStale()
        }

        /// - Returns: the sources that are due, which then have no time.
        mutating func takeDue(at now: ContinuousClock.Instant) -> [UInt64] {
            var due: [UInt64] = []
            dropStale()
            while let first = heap.first, first.time <= now {
                times[first.id] = nil
                due.append(first.id)
                dropStale()
            }
            return due
        }

        /// Entries whose source has another time, or none.
        private mutating func dropStale() {
            while let first = heap.first, times[first.id] != first.time { pop() }
        }

        private mutating func push(_ entry: Entry) {
            heap.append(entry)
            var child = heap.count - 1
            while child > 0, heap[child].time < heap[(child - 1) / 2].time {
                heap.swapAt(child, (child - 1) / 2)
                child = (child - 1) / 2
            }
        }

        private mutating func pop() {
            heap.swapAt(0, heap.count - 1)
            heap.removeLast()
            var parent = 0
            while true {
                let children = (2 * parent + 1)..<min(2 * parent + 3, max(heap.count, 2 * parent + 1))
                guard let least = children.min(by: { heap[$0].time < heap[$1].time }),
                    heap[least].time < heap[parent].time
                else { return }
                heap.swapAt(parent, least)
                parent = least
            }
        }
    }
#endif
