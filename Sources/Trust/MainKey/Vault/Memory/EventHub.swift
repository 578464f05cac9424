import BasicFoundation
import Synchronization

/// Hands every event to every subscriber of the vault, and to those of all vaults, in the order in which they came
/// about.
final class EventHub: Sendable {
    private struct Subscribers {
        var continuations: [Int: AsyncStream<MainKeyEvent>.Continuation] = [:]
        var next = 0
    }

    private let subscribers = Mutex(Subscribers())

    /// Where an event has its turn.
    struct Place: Equatable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Queue {
        /// The places that were taken so far, and those whose events were told.
        var (taken, told): (UInt64, UInt64) = (0, 0)
        /// Events that wait for those before them.
        var waiting: [UInt64: MainKeyEvent] = [:]
        var isTelling = false

        mutating func takePlace() -> Place {
            defer { taken += 1 }
            return Place(number: taken)
        }

        /// - Returns: nil where the next one is not there yet; nobody tells then any more.
        mutating func next() -> MainKeyEvent? {
            guard let event = waiting.removeValue(forKey: told) else {
                isTelling = false
                return nil
            }
            told += 1
            return event
        }
    }

    private let queue = Mutex(Queue())

    /// Events from now on. A subscriber that does not read loses the oldest beyond 64.
    ///
    /// - Parameter first: what the subscriber has to know of before; asked when no event can come in between.
    func stream(startingWith first: () -> MainKeyEvent?) -> AsyncStream<MainKeyEvent> {
        AsyncStream(bufferingPolicy: .bufferingNewest(64)) { continuation in
            let id = subscribers.withLock { subscribers in
                defer { subscribers.next += 1 }
                subscribers.continuations[subscribers.next] = continuation
                if let event = first() { continuation.yield(event) }
                return subscribers.next
            }
            continuation.onTermination = { [weak self] _ in
                _ = self?.subscribers.withLock { $0.continuations.removeValue(forKey: id) }
            }
        }
    }

    /// Takes the next place for an event that comes about now and is posted later, which it has to be: what comes about
    /// behind it waits for it. To be called under the lock of what the event is about.
    func takePlace() -> Place { queue.withLock { $0.takePlace() } }

    /// Has an event told that comes about now.
    func post(_ event: MainKeyEvent) { post(event, at: takePlace()) }

    /// Has an event told in its turn: by this thread, or by another one that is telling or whose event goes before.
    func post(_ event: MainKeyEvent, at place: Place) {
        let tells = queue.withLock { queue in
            queue.waiting[place.number] = event
            defer { queue.isTelling = true }
            return !queue.isTelling
        }
        guard tells else { return }
        while let event = queue.withLock({ $0.next() }) { tell(event) }
    }

    private func tell(_ event: MainKeyEvent) {
        let all = subscribers.withLock { Array($0.continuations.values) }
        for continuation in all { continuation.yield(event) }
        for observer in Self.observers.withLock({ $0 }) { observer(event) }
    }

    /// Those who hear of all vaults of this process.
    private static let observers = Mutex<[@Sendable (MainKeyEvent) -> Void]>([])

    static func observeAll(_ body: @escaping @Sendable (MainKeyEvent) -> Void) {
        observers.withLock { $0.append(body) }
    }

    deinit {
        for continuation in subscribers.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }
}
