/// What is to happen later, the earliest first; of one instant what was added first.
struct TimerHeap<Payload> {
    private struct Entry {
        let instant: ContinuousClock.Instant
        let number: UInt64
        let payload: Payload

        func isBefore(_ other: Entry) -> Bool {
            instant == other.instant ? number < other.number : instant < other.instant
        }
    }

    /// A binary heap: no entry is before the one at half its index.
    private var entries: [Entry] = []
    private var added: UInt64 = 0

    var next: ContinuousClock.Instant? { entries.first?.instant }

    mutating func add(_ payload: Payload, at instant: ContinuousClock.Instant) {
        entries.append(Entry(instant: instant, number: added, payload: payload))
        added += 1
        var index = entries.count - 1
        while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// - Returns: nil if nothing is due.
    mutating func takeNext(dueAt now: ContinuousClock.Instant) -> Payload? {
        guard let first = entries.first, first.instant <= now else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.payload }
        entries[0] = last
        sink()
        return first.payload
    }

    private mutating func sink() {
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < entries.count }
            guard let least = children.min(by: { entries[$0].isBefore(entries[$1]) }),
                entries[least].isBefore(entries[index])
            else { return }
            entries.swapAt(index, least)
            index = least
        }
    }
}
