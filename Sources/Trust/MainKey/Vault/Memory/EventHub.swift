import BasicFoundation
import Synchronization

/// Hands every event to every subscriber of the vault, and to those of all vaults.
final class EventHub: Sendable {
    private struct Subscribers {
        var continuations: [Int: AsyncStream<MainKeyEvent>.Continuation] = [:]
        var next = 0
    }

    private let subscribers = Mutex(Subscribers())

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

    func post(_ event: MainKeyEvent) {
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
