import Dispatch
import Synchronization

/// Blocks the calling thread until asynchronous work is done. Known answers are asked one after the other on the main
/// thread; gates, nodes and their clients are asynchronous.
package enum Waiting {
    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Blocks until `body` has returned.
    package static func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let box = Box<Value>()
        let done = DispatchSemaphore(value: 0)
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            box.value.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        guard let result = box.value.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
