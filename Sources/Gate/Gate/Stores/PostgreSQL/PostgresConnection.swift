import CLibrary
internal import CPostgres

/// One connection, used by one thread.
///
/// libpq is driven without blocking calls, so that each step has a deadline of this process also when the network
/// swallows what is sent. Only looking up the name of a host may take longer.
final class PostgresConnection {
    private var connection: OpaquePointer
    private var prepared: Set<String> = []
    private let clock = ContinuousClock()

    /// How long a connection says nothing before the system asks the other machine whether it is still there.
    private static let silence = Duration.seconds(60)

    /// Connects, and bounds what a statement may take at the server.
    ///
    /// Of several hosts, and several addresses of one, each is asked by itself: libpq goes on to the next one where
    /// connecting fails, and not where the first says nothing.
    ///
    /// - Parameter resolve: tells the addresses of a host apart, as ``HostAddresses`` does.
    init(
        _ settings: PostgresSettings, statementTime: Duration,
        resolving resolve: @escaping ([String: String], _ soleHost: String?) -> [[String: String]] = {
            HostAddresses.apart($0, soleHost: $1)
        }
    ) throws(PostgresFailure) {
        // Each name is looked up when it is its turn: a name server that is silent keeps nobody from the hosts before.
        var hosts = settings.hosts.lazy.flatMap { resolve($0, settings.soleHost) }.makeIterator()
        var reasons: [String] = []
        connection = try Self.begin(settings, at: hosts.next() ?? [:])
        while true {
            do throws(PostgresFailure) {
                try finishConnecting(in: settings.connectTime, statementTime: statementTime)
                return
            } catch {
                reasons.append(error.reason)
                guard let host = hosts.next() else {
                    throw reasons.count == 1 ? error : .notSent(reasons.joined(separator: "; "))
                }
                let next = try Self.begin(settings, at: host)
                PQfinish(connection)
                connection = next
            }
        }
    }

    /// - Parameter host: parameters that count before those of the connection string.
    private static func begin(
        _ settings: PostgresSettings, at host: [String: String]
    ) throws(PostgresFailure) -> OpaquePointer {
        // A later keyword counts before what the connection string says, except for the fallback.
        let keywords =
            ["keepalives_idle", "dbname", "fallback_application_name", "client_encoding"] + host.map(\.key)
        let values =
            [String(silence.components.seconds), settings.connectionString, "gate", "UTF8"] + host.map(\.value)
        let started = withCStrings(keywords) { keywords in
            withCStrings(values) { PQconnectStartParams(keywords, $0, 1) }
        }
        guard let started else { throw .notSent("no memory") }
        // libpq would write what the server says beside its answers to standard error, where the log is.
        PQsetNoticeProcessor(started, { _, _ in }, nil)
        return started
    }

    deinit { PQfinish(connection) }

    private func finishConnecting(in time: Duration, statementTime: Duration) throws(PostgresFailure) {
        try finishConnecting(by: clock.now + time)
        guard PQsetnonblocking(connection, 1) == 0 else { throw .notSent(message) }
        try command("SET statement_timeout = \(statementTime.milliseconds)", deadline: clock.now + time)
    }

    private func finishConnecting(by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        var waits = PGRES_POLLING_WRITING
        while PQstatus(connection) != CONNECTION_BAD {
            switch waits {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING:
                guard isReady(for: POLLIN, until: deadline) else { throw .notSent("connecting took too long") }
            case PGRES_POLLING_WRITING:
                guard isReady(for: POLLOUT, until: deadline) else { throw .notSent("connecting took too long") }
            default: throw .notSent(message)
            }
            waits = PQconnectPoll(connection)
        }
        throw .notSent(message)
    }

    /// Prepares a statement at its first use, runs it, and waits for all of its result.
    func execute(
        _ statement: PostgresStatement, _ parameters: [PostgresParameter], deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresResult {
        let arguments: PostgresArguments
        do throws(StoreError) { arguments = try PostgresArguments(parameters) } catch { throw .unsendable(error) }
        try refuseIfEnded()
        if !prepared.contains(statement.name) {
            let types = statement.types.map(\.rawValue)
            guard PQsendPrepare(connection, statement.name, statement.sql, Int32(types.count), types) == 1 else {
                throw .notSent(message)
            }
            do throws(PostgresFailure) { _ = try result(by: deadline) } catch .noAnswer(let why) {
                throw .notSent(why)
            }
            prepared.insert(statement.name)
        }
        let isSent = arguments.withPointers { values, lengths, formats in
            PQsendQueryPrepared(connection, statement.name, Int32(values.count), values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw .notSent(message) }
        return try result(by: deadline)
    }

    /// Runs one statement without parameters.
    @discardableResult
    func command(_ sql: String, deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresResult {
        try refuseIfEnded()
        guard PQsendQueryParams(connection, sql, 0, nil, nil, nil, nil, 1) == 1 else { throw .notSent(message) }
        return try result(by: deadline)
    }

    /// Another descriptor of the socket, which is readable when the server has said something or has gone.
    ///
    /// It is the caller's, who closes it: libpq closes its own at once when the connection breaks, and whoever still
    /// waits for that number waits for the file that gets it next.
    func watchedDescriptor() throws(PostgresFailure) -> Int32 {
        let descriptor = fcntl(PQsocket(connection), F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { throw .notSent("no descriptor: \(String(cString: strerror(errno)))") }
        return descriptor
    }

    /// What others told on the channels that this connection listens to (`LISTEN`), as far as it has come.
    ///
    /// Reads to the end: who waits for the socket may be told of a hang-up together with what came before it, and never
    /// again.
    func notifications() throws(PostgresFailure) -> [String] {
        var texts: [String] = []
        repeat {
            try takeInput()
            while let notification = PQnotifies(connection) {
                texts.append(String(cString: notification.pointee.extra))
                PQfreemem(notification)
            }
        } while isReady(for: POLLIN, until: clock.now)
        return texts
    }

    /// A server that ended this connection while it was idle has said so: nothing that follows would be done.
    ///
    /// Its last words are read first, and the end behind them.
    private func refuseIfEnded() throws(PostgresFailure) {
        while isReady(for: POLLIN, until: clock.now) { try takeInput() }
        guard PQstatus(connection) == CONNECTION_OK else { throw .notSent(message) }
    }

    private func takeInput() throws(PostgresFailure) {
        guard PQconsumeInput(connection) == 1, PQstatus(connection) == CONNECTION_OK else { throw .notSent(message) }
    }

    private func result(by deadline: ContinuousClock.Instant) throws(PostgresFailure) -> PostgresResult {
        try flush(by: deadline)
        var first: PostgresResult?
        var state: String?
        while true {
            while PQisBusy(connection) == 1 {
                guard isReady(for: POLLIN, until: deadline) else { throw .noAnswer("no answer in time") }
                guard PQconsumeInput(connection) == 1 else { throw .noAnswer(message) }
            }
            guard let next = PQgetResult(connection) else { break }
            let status = PQresultStatus(next)
            if status != PGRES_COMMAND_OK, status != PGRES_TUPLES_OK, state == nil {
                state = PQresultErrorField(next, Int32(UInt8(ascii: "C"))).map { String(cString: $0) } ?? ""
            }
            let result = PostgresResult(owning: next)
            if first == nil { first = result }
            if PQstatus(connection) == CONNECTION_BAD { break }
        }
        if let state {
            // Without a state it is libpq that speaks: the connection broke.
            guard state.isEmpty || PQstatus(connection) == CONNECTION_BAD else { throw .refused(state: state) }
            throw .noAnswer(state.isEmpty ? message : "the server ended the connection (SQLSTATE \(state))")
        }
        guard let first, PQstatus(connection) == CONNECTION_OK else { throw .noAnswer(message) }
        return first
    }

    private func flush(by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        while true {
            switch PQflush(connection) {
            case 0: return
            case 1:
                // The server may be waiting until somebody reads.
                guard isReady(for: POLLIN | POLLOUT, until: deadline) else { throw .noAnswer("no answer in time") }
                guard PQconsumeInput(connection) == 1 else { throw .noAnswer(message) }
            default: throw .noAnswer(message)
            }
        }
    }

    /// Whether the socket became ready, or has ended, before the deadline.
    private func isReady(for events: Int32, until deadline: ContinuousClock.Instant) -> Bool {
        var waiting = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        guard waiting.fd >= 0 else { return true }
        while true {
            let left = clock.now.duration(to: deadline).milliseconds
            let count = poll(&waiting, 1, Int32(clamping: max(0, left)))
            if count > 0 { return true }
            if count == 0 || errno != EINTR { return false }
        }
    }

    private var message: String {
        PostgresFailure.withoutQuotations(PQerrorMessage(connection).map { String(cString: $0) } ?? "")
    }

    private static func withCStrings<Result>(
        _ strings: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies.map { UnsafePointer($0) } + [nil])
    }
}
