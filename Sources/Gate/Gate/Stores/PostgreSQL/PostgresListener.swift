internal import AppAttest
import CLibrary
internal import Dispatch
internal import Sockets

/// A connection on which a gate hears which keys others withdraw (`LISTEN`), made anew when it breaks.
///
/// Its socket is watched, so that no thread waits for it alone. What is told while there is no connection is lost, and
/// whoever may connect to the database may tell anything: names of keys are hints here. The gate asks the store what is
/// true of them, and asks once a second without any hint.
///
/// Its variables are touched on `queue` alone, on which no two things happen at once: hence `@unchecked Sendable`.
final class PostgresListener: @unchecked Sendable {
    private let settings: PostgresSettings
    private let hearer: AsyncStream<[KeyID]>.Continuation
    private let queue = DispatchQueue(label: "store.listen")
    private var connection: PostgresConnection?
    private var watch: DescriptorWatch?
    private var failures = 0
    private var isStopped = false

    /// How many reports may wait for the one who asked for them; the oldest go first.
    private static let mostWaiting = 256

    /// Keys that others withdraw, while somebody waits for them.
    static func withdrawals(_ settings: PostgresSettings) -> AsyncStream<[KeyID]> {
        AsyncStream(bufferingPolicy: .bufferingNewest(mostWaiting)) { continuation in
            let listener = PostgresListener(settings, continuation)
            continuation.onTermination = { _ in listener.stop() }
            listener.queue.async { listener.connect() }
        }
    }

    private init(_ settings: PostgresSettings, _ hearer: AsyncStream<[KeyID]>.Continuation) {
        self.settings = settings
        self.hearer = hearer
    }

    private func connect() {
        guard !isStopped else { return }
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(settings, statementTime: settings.statementTime)
            let deadline = ContinuousClock.now + settings.statementTime + PostgresSettings.networkTime
            try connection.command("LISTEN \(PostgresStatement.withdrawals)", deadline: deadline)
            try watch(connection)
            // What came with the answer makes the socket readable no more.
            hear()
        } catch  where error.isLasting {
            hearer.finish()
        } catch {
            connectLater()
        }
    }

    private func watch(_ connection: PostgresConnection) throws(PostgresFailure) {
        let descriptor = try connection.watchedDescriptor()
        watch = DescriptorWatch(
            descriptor, on: queue, onReadable: { [weak self] in self?.hear() },
            onEnd: { close(descriptor) })
        guard watch != nil else {
            close(descriptor)
            throw .notSent("no descriptor or thread is left to hear what others withdraw")
        }
        self.connection = connection
    }

    private func hear() {
        guard let connection else { return }
        do throws(PostgresFailure) {
            let keys = try connection.notifications().compactMap { KeyID(base64: $0) }
            failures = 0
            if !keys.isEmpty { hearer.yield(keys) }
        } catch {
            disconnect()
            connectLater()
        }
    }

    private func connectLater() {
        failures = min(failures + 1, 16)
        let wait = Reconnection.wait(after: failures, chance: .random(in: 0.5...1))
        queue.asyncAfter(deadline: .now() + .milliseconds(Int(wait.milliseconds))) { [weak self] in self?.connect() }
    }

    private func stop() {
        queue.async { [self] in
            isStopped = true
            disconnect()
        }
    }

    private func disconnect() {
        watch?.cancel()
        (watch, connection) = (nil, nil)
    }

    /// Asks a database whether it has `NOTIFY` and lets the gate use it: not all do that speak PostgreSQL's protocol.
    /// Blocks.
    static func isPossible(_ settings: PostgresSettings) throws(StoreError) -> Bool {
        do throws(PostgresFailure) {
            let connection = try PostgresConnection(settings, statementTime: settings.statementTime)
            try connection.command(
                "SELECT pg_notify('\(PostgresStatement.withdrawals)', '')",
                deadline: ContinuousClock.now + settings.statementTime + PostgresSettings.networkTime)
            return true
        } catch  where error.isLasting {
            return false
        } catch .refused {
            // As by a server that is read-only at the moment.
            return true
        } catch {
            throw error.storeError(during: "the question whether it has NOTIFY")
        }
    }
}
