import Synchronization

@testable import Gate

/// Keeps what is logged.
final class EventList: EventSink {
    private struct Content: Sendable {
        var events: [GateEvent] = []
        var waiting: [(name: GateEvent.Name, CheckedContinuation<GateEvent, Never>)] = []
    }

    private let content = Mutex(Content())

    func record(_ event: GateEvent) {
        let waiting = content.withLock { content in
            content.events.append(event)
            defer { content.waiting.removeAll { $0.name == event.name } }
            return content.waiting.filter { $0.name == event.name }
        }
        for (_, continuation) in waiting { continuation.resume(returning: event) }
    }

    var events: [GateEvent] { content.withLock(\.events) }

    /// The first event of that name, once it has come.
    func first(_ name: GateEvent.Name) async -> GateEvent {
        await withCheckedContinuation { continuation in
            let event = content.withLock { content -> GateEvent? in
                let event = content.events.first { $0.name == name }
                if event == nil { content.waiting.append((name, continuation)) }
                return event
            }
            if let event { continuation.resume(returning: event) }
        }
    }

    /// Returns once so many events of that name have come.
    func count(_ name: GateEvent.Name, _ wanted: Int) async {
        while events.count(where: { $0.name == name }) < wanted { await Task.yield() }
    }
}
