/// What is to happen later, the earliest first; what is due at one time comes in the order in which it was added.
///
/// To add and to take cost a time that is logarithmic in the number of what waits.
package struct DueQueue<Instant: Comparable, Payload> {
    fileprivate struct Entry: PlacedHeapMember {
        let instant: Instant
        let number: UInt64
        let payload: Payload

        func isBefore(_ other: Entry) -> Bool {
            instant == other.instant ? number < other.number : instant < other.instant
        }

        /// Nothing is taken out of the middle: nobody asks for the place.
        func settle(at place: Int, in places: inout Void) {}
    }

    private var entries = PlacedHeap<Entry>()
    private var places: Void = ()
    private var added: UInt64 = 0

    package init() {}

    package var count: Int { entries.count }

    package var isEmpty: Bool { entries.count == 0 }

    /// What is next, and when.
    package var next: (instant: Instant, payload: Payload)? { entries.first.map { ($0.instant, $0.payload) } }

    package mutating func add(_ payload: Payload, at instant: Instant) {
        entries.add(Entry(instant: instant, number: added, payload: payload), in: &places)
        added += 1
    }

    /// Takes what is next, whenever it is due.
    package mutating func takeNext() -> Payload? {
        guard let first = entries.first else { return nil }
        entries.remove(at: 0, in: &places)
        return first.payload
    }

    /// Takes what is next if it is due.
    package mutating func takeNext(dueAt now: Instant) -> Payload? {
        guard let first = entries.first, first.instant <= now else { return nil }
        return takeNext()
    }
}

extension DueQueue.Entry: Sendable where Instant: Sendable, Payload: Sendable {}

extension DueQueue: Sendable where Instant: Sendable, Payload: Sendable {}
