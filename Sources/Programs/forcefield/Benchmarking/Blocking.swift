import Dispatch
import Synchronization

/// Waits on this thread for what is asynchronous: the program's main is not.
enum Blocking {
    static func value<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let (result, end) = (Box<Value>(), DispatchSemaphore(value: 0))
        Task.detached {
            do {
                let value = try await body()
                result.content.withLock { $0 = .success(value) }
            } catch { result.content.withLock { $0 = .failure(error) } }
            end.signal()
        }
        end.wait()
        guard let result = result.content.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }

    private final class Box<Value: Sendable>: Sendable {
        let content = Mutex<Result<Value, any Error>?>(nil)
    }
}
