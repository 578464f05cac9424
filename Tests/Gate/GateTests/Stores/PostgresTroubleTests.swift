import AppAttest
import Synchronization
import TestSupport
import Testing

@testable import Gate

@Suite("PostgreSQL in trouble", .enabled(if: PostgresServer.isPossible, "no PostgreSQL server to start"))
struct PostgresTroubleTests {
    @Test("connections that the server ends while they are idle are made anew, without a refusal")
    func killedConnections() async throws {
        try await TwoGates.run { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            for counter in 1...5 as ClosedRange<UInt32> {
                try await gates.server.sql(
                    """
                    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
                    WHERE datname = '\(gates.database)' AND pid <> pg_backend_pid()
                    """, database: gates.database)
                // Each connection of the pool learns of it.
                let counts = try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 0..<8 { group.addTask { try await gates.keys[0].count() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(counts == Array(repeating: 1, count: 8))
                #expect(
                    try await gates.keys[0].advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time)
                        == .advanced)
            }
        }
    }

    @Test("behind connections that the server ended nothing is refused that may be done once only")
    func killedConnectionsAndCounter() async throws {
        try await TwoGates.run { (gates) async throws in
            for number in 1...8 { _ = try await gates.keys[0].insertIfAbsent(Keys.key(number)) }
            try await gates.server.sql(
                """
                SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
                WHERE datname = '\(gates.database)' AND pid <> pg_backend_pid()
                """, database: gates.database)
            try await withThrowingTaskGroup(of: CounterAdvance.self) { group in
                for number in 1...8 {
                    group.addTask {
                        try await gates.keys[0].advance(Keys.id(number), to: 1, facts: .init(), now: Keys.time)
                    }
                }
                for try await advance in group { #expect(advance == .advanced) }
            }
        }
    }

    @Test("a database is found behind a host that takes connections and says nothing", .timeLimit(.minutes(30)))
    func severalHosts() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let mute = try await RawServer.start()
        let name = "\(PostgresServer.user):\(PostgresServer.encodedPassword)"
        let hosts = "127.0.0.1:\(mute.port),127.0.0.1:\(server.port)"
        let settings = try PostgresSettings(url: "postgres://\(name)@\(hosts)/\(database)?connect_timeout=2")
        try await OffPool.run { () throws(StoreError) -> Void in
            // The second host has two seconds as well: a busy machine may need more than one attempt.
            for _ in 0..<20 where (try? PostgresSchema.migrate(settings)) != nil { return }
            try PostgresSchema.migrate(settings)
        }
        #expect(try await server.sql("SELECT max(version) FROM gate_schema", database: database) == ["2"])
        // Where nobody answers, each host's reason is told.
        let closed = try ReservedPort()
        let silent = try PostgresSettings(
            url: "postgres://\(name)@127.0.0.1:\(mute.port),127.0.0.1:\(closed.number)/x?connect_timeout=1")
        let error = await #expect(throws: StoreError.self) {
            try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(silent) }
        }
        guard case .unavailable(let why) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(why.contains("too long; ") && why.contains("refused") && !why.contains(PostgresServer.user))
    }

    @Test("the name of a host is looked up when it is asked, and not before")
    func lookedUp() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let closed = try ReservedPort()
        let name = "\(PostgresServer.user):\(PostgresServer.encodedPassword)"
        let hosts = ["first.invalid:\(closed.number)", "second.invalid:\(server.port)", "third.invalid:1"]
        let settings = try PostgresSettings(
            url: "postgres://\(name)@\(hosts.joined(separator: ","))/\(database)?connect_timeout=60")
        let asked = Mutex<[String]>([])
        try await OffPool.run { () throws(PostgresFailure) -> Void in
            _ = try PostgresConnection(settings, statementTime: .seconds(60)) { host, _ in
                asked.withLock { $0.append(host["host", default: ""]) }
                return [host.merging(["hostaddr": "127.0.0.1"]) { $1 }]
            }
        }
        #expect(asked.withLock { $0 } == ["first.invalid", "second.invalid"])
    }

    @Test("it is said why no connection comes about, at every statement")
    func reasons() async throws {
        try await TwoGates.run(over: .loopback) { (gates) async throws in
            let settings = try PostgresSettings(patient: gates.server.url("no_such_database"))
            let pool = PostgresPool(settings, connections: 1)
            let keys = PostgresKeyStore(pool)
            for _ in 0..<3 {
                let error = await #expect(throws: StoreError.self) { try await keys.count() }
                if case .unavailable(let why) = error {
                    #expect(why.contains("does not exist") && !why.contains("notSent"), "\(why)")
                } else {
                    Issue.record("\(String(describing: error))")
                }
            }
            await pool.close()
        }
    }

    @Test("a database that is gone refuses, and is found when it is back, with all that was acknowledged")
    func goneAndBack() async throws {
        let server = try await PostgresServer(isDurable: true)
        try await TwoGates.run(over: .loopback, on: server) { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            _ = try await gates.keys[0].advance(Keys.id(1), to: 5, facts: .init(), now: Keys.time)
            await server.stop()
            for _ in 0..<20 {
                let error = await #expect(throws: StoreError.self) {
                    try await gates.keys[0].advance(Keys.id(1), to: 6, facts: .init(), now: Keys.time)
                }
                guard case .unavailable(let why) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(!why.contains(PostgresServer.password) && !why.contains(PostgresServer.user))
            }
            await #expect(throws: StoreError.self) { try await gates.keys[0].check() }
            await server.start()
            // The next attempt is at most five seconds away.
            while (try? await gates.keys[0].check()) == nil { try await Task.sleep(for: .milliseconds(50)) }
            #expect(try await gates.keys[0].key(Keys.id(1))?.signCount == 5)
            #expect(try await gates.keys[0].advance(Keys.id(1), to: 6, facts: .init(), now: Keys.time) == .advanced)
        }
        await server.stop()
    }

    @Test("a statement that waits for a lock for too long is a refusal, and nothing is done later")
    func slow() async throws {
        try await TwoGates.run { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            var settings = try PostgresSettings(patient: gates.server.url(gates.database))
            settings.statementTime = .milliseconds(300)
            let pool = PostgresPool(settings, connections: 1)
            let impatient = PostgresKeyStore(pool)
            let lock = try await OffPool.run { [settings] () throws(PostgresFailure) in
                Lock(try PostgresConnection(settings, statementTime: .seconds(600)), "gate_keys")
            }
            try await OffPool.run { () throws(PostgresFailure) in try lock.take() }
            let error = await #expect(throws: StoreError.self) {
                try await impatient.advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time)
            }
            if case .unavailable = error {} else { Issue.record("\(String(describing: error))") }
            try await OffPool.run { () throws(PostgresFailure) in try lock.giveBack() }
            await pool.close()
            #expect(try await gates.keys[0].key(Keys.id(1))?.signCount == 0)
        }
    }

    /// A lock that a connection of its own holds. Used by one thread at a time.
    private final class Lock: @unchecked Sendable {
        private let connection: PostgresConnection
        private let table: String

        init(_ connection: PostgresConnection, _ table: String) {
            self.connection = connection
            self.table = table
        }

        func take() throws(PostgresFailure) {
            try connection.command("BEGIN", deadline: .now + .seconds(600))
            try connection.command("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE", deadline: .now + .seconds(600))
        }

        func giveBack() throws(PostgresFailure) { try connection.command("ROLLBACK", deadline: .now + .seconds(600)) }
    }

    @Test("no message tells who tried to get in, and with which password")
    func credentials() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let wrong = [
            server.url(database, over: .loopback, password: "canary-wrong"),
            server.url(database, over: .socket, user: "canary-user"),
            server.url("canary-database"),
            "postgres://canary-user:canary-word@canary-host.invalid/canary-database",
            "postgres://canary-user:canary@word@localhost/x", "postgres://u:canary-word@localhost:canary/x",
            "postgres://u:canary-word@localhost/x?canary=1", "postgres:canary", "canary", "mysql://u:canary@h/",
            "redis://:canary@h", "sqlite:canary",
        ]
        for url in wrong {
            let error = await #expect(throws: StoreError.self, "\(url)") {
                try await Stores.open(keys: StoreAddress(url), nonces: .memory, Stores.Options { 0 })
            }
            #expect(!"\(String(describing: error))".contains("canary"), "\(url)")
        }
    }

    @Test("TLS is what the connection string asks for")
    func tls() async throws {
        let server = try await PostgresServer.shared()
        let root = "sslrootcert=" + PostgresServer.encoded(path: server.folder + "/server.crt")
        try await TwoGates.run(over: .loopback, options: ["sslmode=verify-ca", root]) { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            let encrypted = try await gates.server.sql(
                """
                SELECT DISTINCT s.ssl FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
                WHERE a.datname = '\(gates.database)' AND a.application_name = 'gate'
                """, database: gates.database)
            #expect(encrypted == ["t"])
        }
        // The name in its certificate is another.
        await #expect(throws: StoreError.self) {
            try await TwoGates.run(over: .loopback, options: ["sslmode=verify-full", root]) { _ in }
        }
    }

    @Test("attempts to connect wait longer and longer, up to five seconds")
    func backOff() throws {
        let waits = (1...16).map { Reconnection.wait(after: $0, chance: 1) }
        #expect(waits.first == .milliseconds(100) && waits[1] == .milliseconds(200) && waits.last == .seconds(5))
        #expect(zip(waits, waits.dropFirst()).allSatisfy { $0 <= $1 })
        let reconnection = Reconnection()
        let now = ContinuousClock.now
        try reconnection.begin(at: now)
        reconnection.failed(at: now, because: "away")
        #expect(throws: PostgresFailure.self) { try reconnection.begin(at: now) }
        try reconnection.begin(at: now + .milliseconds(100))
        reconnection.failed(at: now + .milliseconds(100), because: "away")
        #expect(throws: PostgresFailure.self) { try reconnection.begin(at: now + .milliseconds(199)) }
        reconnection.succeeded()
        try reconnection.begin(at: now + .milliseconds(199))
    }

    @Test(
        "libpq's account of a failure loses what it quotes",
        arguments: [
            (
                "connection to server at \"db\" (10.0.0.1), port 5432 failed: FATAL:  password authentication failed for user \"x\"\n",
                "FATAL:  password authentication failed for user …"
            ),
            (
                "connection to server at \"db\", port 1 failed: Connection refused\n\tIs the server",
                "Connection refused"
            ),
            ("could not translate host name \"p@h\" to address: no", "could not translate host name … to address: no"),
            ("a \"b\" c \"d\" e", "a … e"), ("one \"quote", "one …"), ("", "no connection"),
        ])
    func quotations(message: String, expected: String) {
        #expect(PostgresFailure.withoutQuotations(message) == expected)
    }
}
