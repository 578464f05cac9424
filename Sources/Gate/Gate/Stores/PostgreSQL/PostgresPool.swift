/// Threads that do statements, each over a connection of its own. Connections are made when they are first needed.
///
/// Why threads: libpq waits in poll(2), and Swift's cooperative threads and the event loops of the gate must not wait.
final class PostgresPool: Sendable {
    let settings: PostgresSettings
    private let jobs: WorkQueue<PostgresSession>

    init(_ settings: PostgresSettings, connections: Int) {
        self.settings = settings
        let reconnection = Reconnection()
        jobs = WorkQueue(threads: max(1, connections), maximumWaiting: settings.maximumWaiting) {
            PostgresSession(settings, reconnection)
        }
    }

    /// Does one statement.
    ///
    /// - Parameter read: makes a value of the result; runs on a thread of the pool.
    func run<Value: Sendable>(
        _ statement: PostgresStatement, _ parameters: [PostgresParameter],
        read: @escaping @Sendable (PostgresResult) throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let clock = ContinuousClock()
        let begin = clock.now + settings.statementTime
        return try await withCheckedContinuation { continuation in
            let isTaken = jobs.add { session in
                continuation.resume(
                    returning: Result { () throws(StoreError) in
                        guard clock.now < begin else { throw .unavailable("PostgreSQL: all connections are busy") }
                        return try read(session.perform(statement, parameters))
                    })
            }
            if !isTaken {
                continuation.resume(
                    returning: .failure(.unavailable("PostgreSQL: closed, or too many statements wait")))
            }
        }.get()
    }

    /// Does the work that waits, and ends the connections.
    func close() async { await jobs.close() }
}
