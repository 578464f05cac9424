import Synchronization

/// A value that several may give: the first one holds.
final class OneShotPromise<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    var isGiven: Bool { state.withLock { $0.value != nil } }

    /// - Returns: whether it was the first.
    @discardableResult
    func give(_ value: Value) -> Bool {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting ?? [] { continuation.resume(returning: value) }
        return waiting != nil
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let given = state.withLock { state in
                    if state.value == nil { state.waiting.append(continuation) }
                    return state.value
                }
                if let given { continuation.resume(returning: given) }
            }
        }
    }
}
