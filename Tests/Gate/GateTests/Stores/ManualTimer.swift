import Synchronization

@testable import Gate

/// A timer whose time the test sets.
final class ManualTimer: StoreTimer {
    private struct State {
        var now: Duration = .zero
        var waiting: [(due: Duration, work: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    var now: Duration { state.withLock(\.now) }

    var countOfWaiting: Int { state.withLock(\.waiting.count) }

    func run(after time: Duration, _ work: @escaping @Sendable () -> Void) {
        state.withLock { $0.waiting.append(($0.now + time, work)) }
    }

    /// Moves the time on and does what is due, in order.
    func pass(_ time: Duration) {
        let end = now + time
        while let work = takeFirst(until: end) { work() }
        state.withLock { $0.now = end }
    }

    private func takeFirst(until end: Duration) -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard let index = state.waiting.indices.min(by: { state.waiting[$0].due < state.waiting[$1].due }),
                state.waiting[index].due <= end
            else { return nil }
            let next = state.waiting.remove(at: index)
            state.now = max(state.now, next.due)
            return next.work
        }
    }
}
