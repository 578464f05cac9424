import Dispatch
import Synchronization
import Threads

/// Work that goes on beside the thread that needs its result, on a thread of its own: a thread that waits here is
/// blocked. Where no thread can be made, it is done before anything else.
final class Concurrently<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, Refusal>?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ work: @escaping @Sendable () throws(Refusal) -> Value) {
        SystemThread.startOrRun {
            let found = Result { () throws(Refusal) in try work() }
            self.result.withLock { $0 = found }
            self.done.signal()
        }
    }

    /// Waits for the result, for as long as it takes: the caller has a limit of its own (``TimeLimit``). To be called
    /// once.
    func value() throws(Refusal) -> Value {
        done.wait()
        guard let result = result.withLock({ $0 }) else { throw Refusal(.internal, "the work has no result") }
        return try result.get()
    }
}
