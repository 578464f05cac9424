internal import NIOPosix
internal import Synchronization

/// Runs verifications that are too long for an event loop: as many at a time as there are workers, and a bounded number
/// behind them.
///
/// Source: `appattest-gate` sections 2.6 and 3.7.
final class AttestationQueue: Sendable {
    static let maximumWaiting = 256

    private let pool: NIOThreadPool
    private let maximum: Int
    private let underWay = Atomic(0)

    init(_ pool: NIOThreadPool, workers: Int) {
        self.pool = pool
        maximum = workers + Self.maximumWaiting
    }

    /// - Throws: `.overloaded` if the queue is full, `.unavailable` if the pool has stopped.
    func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(VerificationFailure) -> Result<Value, Failure> {
        let place = underWay.wrappingAdd(1, ordering: .relaxed).newValue
        defer { underWay.wrappingSubtract(1, ordering: .relaxed) }
        guard place <= maximum else { throw .overloaded }
        do {
            return try await pool.runIfActive { Result { () throws(Failure) in try work() } }
        } catch {
            throw .unavailable
        }
    }
}
