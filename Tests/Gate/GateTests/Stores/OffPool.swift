import Dispatch

/// Work that blocks, off the threads that tests share.
enum OffPool {
    static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withCheckedContinuation { continuation in
            DispatchQueue(label: "test.blocking").async {
                continuation.resume(returning: Result { () throws(Failure) in try work() })
            }
        }.get()
    }
}
