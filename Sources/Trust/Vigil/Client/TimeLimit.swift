import CodeMeasurement
import Dispatch
import Synchronization
import Threads

/// Work whose result counts until a deadline, and not afterwards.
///
/// It runs on another thread. What hangs there (a file that never answers, hardware that does not either) keeps the
/// thread, and the caller that waits goes on. Only so many may hang; then nothing more is begun.
///
/// Source: `vigil` section 8.
package final class TimeLimit: Sendable {
    /// What apps ask of their validators, in this process.
    static let ofClients = TimeLimit(hanging: 16)

    private let limit: Int
    private let hanging = Mutex(0)
    private let threads = SpareThread()

    /// - Parameter limit: threads that may be kept by what was given up.
    package init(hanging limit: Int) {
        self.limit = limit
    }

    /// Why work was not begun.
    package enum NotBegun: Error, CustomStringConvertible {
        /// The system has no thread to give.
        case noThread
        /// As much as may hang does already, which says nothing of this work.
        case tooMuchHangs

        package var description: String {
            switch self {
            case .noThread: "the system has no thread to give"
            case .tooMuchHangs: "too much hangs that was begun before"
            }
        }
    }

    /// Waits for work that was begun on another thread.
    ///
    /// - Parameters:
    ///   - late: is handed what came too late, to be undone.
    /// - Returns: nil if it has not come by then.
    /// - Throws: ``NotBegun``
    package func run<Value: Sendable>(
        until deadline: Deadline, late: @escaping @Sendable (Value) -> Void = { _ in },
        _ work: @escaping @Sendable () -> Value
    ) throws(NotBegun) -> Value? {
        guard hanging.withLock({ $0 < limit }) else { throw .tooMuchHangs }
        let handover = Handover<Value>()
        let isStarted = threads.tryStart {
            let value = work()
            guard !handover.give(value) else { return }
            late(value)
            self.hanging.withLock { $0 -= 1 }
        }
        guard isStarted else { throw .noThread }
        switch handover.take(until: deadline) {
        case .inTime(let value): return value
        case .late(let value): late(value)
        case .never: hanging.withLock { $0 += 1 }
        }
        return nil
    }

    /// Begins work whose result is not waited for. It counts as hanging until it is done; where too much hangs already,
    /// or no thread can be made, it is left out.
    package func begin(_ work: @escaping @Sendable () -> Void) {
        let isAdmitted = hanging.withLock { hanging in
            guard hanging < limit else { return false }
            hanging += 1
            return true
        }
        guard isAdmitted else { return }
        let isStarted = threads.tryStart {
            work()
            self.hanging.withLock { $0 -= 1 }
        }
        if !isStarted { hanging.withLock { $0 -= 1 } }
    }
}

/// One value that goes from one thread to another, unless that one has left.
private final class Handover<Value: Sendable>: Sendable {
    private enum State {
        case awaited
        case given(Value)
        case abandoned
    }

    enum Outcome {
        case inTime(Value)
        case late(Value)
        case never
    }

    private let state = Mutex(State.awaited)
    private let given = DispatchSemaphore(value: 0)

    /// - Returns: false if the caller does not wait any more.
    func give(_ value: Value) -> Bool {
        let isAwaited = state.withLock { state in
            guard case .awaited = state else { return false }
            state = .given(value)
            return true
        }
        given.signal()
        return isAwaited
    }

    func take(until deadline: Deadline) -> Outcome {
        let left = SuspendingClock().now.duration(to: deadline)
        _ = given.wait(timeout: .now() + max(0, left.inSeconds))
        return state.withLock { state in
            guard case .given(let value) = state else {
                state = .abandoned
                return .never
            }
            return SuspendingClock().now < deadline ? .inTime(value) : .late(value)
        }
    }
}
