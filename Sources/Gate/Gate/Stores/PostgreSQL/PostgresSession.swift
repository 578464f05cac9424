import CLibrary
internal import Synchronization

/// What one thread of the pool does statements with: a connection, made anew when it breaks.
final class PostgresSession {
    private let settings: PostgresSettings
    private let reconnection: Reconnection
    private var connection: PostgresConnection?
    private let clock = ContinuousClock()

    /// How often a statement is tried again that the server rolled back because of others.
    static let mostRetries = 5

    init(_ settings: PostgresSettings, _ reconnection: Reconnection) {
        self.settings = settings
        self.reconnection = reconnection
    }

    func perform(
        _ statement: PostgresStatement, _ parameters: [PostgresParameter]
    ) throws(StoreError) -> PostgresResult {
        var conflicts = 0
        var isSecondConnection = false
        while true {
            let connection: PostgresConnection
            do throws(PostgresFailure) { connection = try connected() } catch {
                throw error.storeError(during: statement.name)
            }
            do throws(PostgresFailure) {
                let deadline = clock.now + settings.statementTime + PostgresSettings.networkTime
                return try connection.execute(statement, parameters, deadline: deadline)
            } catch  where error.isConflict && conflicts < Self.mostRetries {
                conflicts += 1
                Self.pause(for: .milliseconds(Int64.random(in: 1...(10 << conflicts))))
            } catch {
                if error.needsNewConnection { self.connection = nil }
                let mayRepeat = error.isWithoutEffect || statement.isRepeatable && error.needsNewConnection
                guard mayRepeat, !isSecondConnection else { throw error.storeError(during: statement.name) }
                isSecondConnection = true
            }
        }
    }

    private func connected() throws(PostgresFailure) -> PostgresConnection {
        if let connection { return connection }
        try reconnection.begin(at: clock.now)
        do throws(PostgresFailure) {
            let new = try PostgresConnection(settings, statementTime: settings.statementTime)
            reconnection.succeeded()
            connection = new
            return new
        } catch {
            reconnection.failed(at: clock.now, because: error.reason)
            throw error
        }
    }

    /// Puts the thread to sleep, which is this session's own.
    private static func pause(for time: Duration) { usleep(UInt32(time.milliseconds * 1_000)) }
}

/// Keeps a pool from hammering a database that is away: after a failure the next attempt waits, longer each time, and
/// meanwhile statements fail at once.
final class Reconnection: Sendable {
    private struct State {
        var failures = 0
        var nextAttempt: ContinuousClock.Instant?
        /// Why the last attempt failed.
        var reason = ""
    }

    static let longestWait: Duration = .seconds(5)
    private let state = Mutex(State())

    func begin(at now: ContinuousClock.Instant) throws(PostgresFailure) {
        let reason = state.withLock { state in state.nextAttempt.map { now < $0 } ?? false ? state.reason : nil }
        if let reason { throw .notSent("no connection, and the next attempt is a moment away (\(reason))") }
    }

    func succeeded() { state.withLock { $0 = State() } }

    /// - Parameter reason: said until the next attempt.
    func failed(at now: ContinuousClock.Instant, because reason: String) {
        state.withLock { state in
            state.reason = reason
            // The threads of a pool that fail together count once.
            if let next = state.nextAttempt, now < next { return }
            state.failures = min(state.failures + 1, 16)
            state.nextAttempt = now + Self.wait(after: state.failures, chance: .random(in: 0.5...1))
        }
    }

    /// - Parameter chance: 0.5 to 1, so that several gates do not come back in step.
    static func wait(after failures: Int, chance: Double) -> Duration {
        min(.milliseconds(100) * (1 << (failures - 1)), longestWait) * chance
    }
}
