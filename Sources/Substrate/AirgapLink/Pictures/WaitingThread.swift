import Dispatch
import Synchronization

/// Waits on the calling thread for what is asynchronous, and does its work there.
///
/// The threads of Swift's pool, of which there are as many as processors, neither wait for this nor are they waited
/// for: a caller that blocks one of them by a picture blocks that one alone.
final class WaitingThread: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])
    private let arrived = DispatchSemaphore(value: 0)

    static func value<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
        let (thread, end) = (WaitingThread(), End<Value>())
        Task(executorPreference: thread) {
            let value = await body()
            end.value.withLock { $0 = value }
        }
        while true {
            if let value = end.value.withLock({ $0 }) { return value }
            thread.runNext()
        }
    }

    private final class End<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        arrived.signal()
    }

    /// Runs a job, waiting for one. The one that ends the task sets its value before it ends itself.
    private func runNext() {
        arrived.wait()
        jobs.withLock { $0.removeFirst() }.runSynchronously(on: asUnownedTaskExecutor())
    }
}
