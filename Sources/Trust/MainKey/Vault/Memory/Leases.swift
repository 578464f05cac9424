import Dispatch
import Synchronization

/// Counts who is using an unlocked vault, so that locking lets them finish, within a time.
final class Leases: Sendable {
    private struct State: Sendable {
        var count = 0
        var waiting: [Int: @Sendable () -> Void] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    func take() {
        state.withLock { $0.count += 1 }
    }

    func giveBack() {
        let freed = state.withLock { state -> [@Sendable () -> Void] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for action in freed { action() }
    }

    /// Runs `action` once: when nobody uses the vault, or when the time is over.
    func whenFree(within time: DispatchTimeInterval, _ action: @escaping @Sendable () -> Void) {
        let id = state.withLock { state -> Int? in
            guard state.count > 0 else { return nil }
            defer { state.next += 1 }
            state.waiting[state.next] = action
            return state.next
        }
        guard let id else { return action() }
        DispatchQueue.global().asyncAfter(deadline: .now() + time) { [weak self] in
            self?.state.withLock { $0.waiting.removeValue(forKey: id) }?()
        }
    }
}
