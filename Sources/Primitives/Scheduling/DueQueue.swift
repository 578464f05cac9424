/// What is to happen later, the earliest first; what is due at one time comes in the order in which it was added.
///
/// To add and to take cost a time that is logarithmic in the number of what waits.
package struct DueQueue<Instant: Comparable, Payload> {
    fileprivate struct Entry {
        let instant: Instant
        let number: UInt64
        let payload: Payload

        func isBefore(_ other: Entry) -> Bool {
            instant == other.instant ? number < other.number : instant < other.instant
        }
    }

    /// A binary heap: no entry is before the one above it, which is at half its index.
    private var entries: [Entry] = []
    private var added: UInt64 = 0

    package init() {}

    package var count: Int { entries.count }

    package var isEmpty: Bool { entries.isEmpty }

    /// What is next, and when.
    package var next: (instant: Instant, payload: Payload)? { entries.first.map { ($0.instant, $0.payload) } }

    package mutating func add(_ payload: Payload, at instant: Instant) {
        entries.append(Entry(instant: instant, number: added, payload: payload))
        added += 1
        var index = entries.count - 1
        while index > 0, entries[index].isBefore(entries[(index - 1) / 2]) {
            entries.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    /// Takes what is next, whenever it is due.
    package mutating func takeNext() -> Payload? {
        guard let first = entries.first else { return nil }
        let last = entries.removeLast()
        guard !entries.isEmpty else { return first.payload }
        entries[0] = last
        sink()
        return first.payload
    }

    /// Takes what is next if it is due.
    package mutating func takeNext(dueAt now: Instant) -> Payload? {
        guard let first = entries.first, first.instant <= now else { return nil }
        return takeNext()
    }

    private mutating func sink() {
        var index = 0
        while true {
            var child = 2 * index + 1
            guard child < entries.count else { return }
            if child + 1 < entries.count, entries[child + 1].isBefore(entries[child]) { child += 1 }
            guard entries[child].isBefore(entries[index]) else { return }
            entries.swapAt(index, child)
            index = child
        }
    }
}

extension DueQueue.Entry: Sendable where Instant: Sendable, Payload: Sendable {}

extension DueQueue: Sendable where Instant: Sendable, Payload: Sendable {}
