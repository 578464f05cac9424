import AppAttest
import TestSupport
import Testing

@testable import Gate

@Suite("Two gates on one PostgreSQL", .enabled(if: PostgresServer.isPossible, "no PostgreSQL server to start"))
struct PostgresTests {
    @Test("accept each of 1,000 replayed nonces and counters exactly once between them")
    func replays() async throws {
        try await TwoGates.run { (gates) async throws in
            let client = ClientKey(high: 0, low: 1)
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            for number in 0..<1_000 {
                _ = try await gates.nonces[number % 2].put(
                    Keys.nonce(number), expiresAt: Keys.time + 3_600_000, owner: client)
            }
            let accepted = try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
                for attempt in 0..<2_000 {
                    group.addTask {
                        let number = attempt / 2
                        let gate = attempt % 2
                        return (number, try await gates.nonces[gate].consume(Keys.nonce(number), now: Keys.time))
                    }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1.0, default: 0] += $1.1 ? 1 : 0 }
            }
            #expect(accepted.count == 1_000 && accepted.values.allSatisfy { $0 == 1 })
            #expect(try await gates.nonces[0].count() == 0)

            for counter in 1...1_000 as ClosedRange<UInt32> {
                async let one = gates.keys[0].advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time)
                async let two = gates.keys[1].advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time)
                let results = try await [one, two]
                #expect(results.count { $0 == .advanced } == 1)
                #expect(results.contains(.stale(current: counter)))
            }
        }
    }

    /// CockroachDB knows no other isolation: there, statements that meet are rolled back and tried again.
    @Test("at the isolation of distributed engines, still let one of 16 in")
    func serializable() async throws {
        let options = ["options=-cdefault_transaction_isolation%3Dserializable"]
        try await TwoGates.run(options: options) { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            for counter in 1...30 as ClosedRange<UInt32> {
                let outcomes = await withTaskGroup(of: CounterAdvance?.self) { group in
                    for task in 0..<16 {
                        group.addTask {
                            // After five conflicts a statement is given up: a refusal, never a second acceptance.
                            try? await gates.keys[task % 2]
                                .advance(Keys.id(1), to: counter, facts: .init(), now: Keys.time)
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.count { $0 == .advanced } == 1)
            }
        }
    }

    @Test("make the tables together when they start at once, and find them when they start again")
    func migrations() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let settings = try PostgresSettings(patient: server.url(database))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
                }
            }
            try await group.waitForAll()
        }
        try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
        #expect(try await server.sql("SELECT version FROM gate_schema ORDER BY 1", database: database) == ["1", "2"])
        #expect(try await server.sql("SELECT count(*) FROM gate_keys", database: database) == ["0"])
    }

    @Test("bring tables of the first version to the present one, and leave their keys as they were")
    func fromFirstVersion() async throws {
        let server = try await PostgresServer.shared()
        let database = try await server.makeDatabase()
        let settings = try PostgresSettings(patient: server.url(database))
        for statement in PostgresSchema.migrations[0].statements {
            try await server.sql(statement, database: database)
        }
        try await server.sql(
            """
            CREATE TABLE gate_schema (version bigint PRIMARY KEY, applied_at timestamptz NOT NULL);
            INSERT INTO gate_schema VALUES (1, now());
            INSERT INTO gate_keys (key_id, app_id, environment, public_key, sign_count, registered_at, last_used_at)
            VALUES ('\(Keys.id(1).base64)', 'ABCDE12345.com.example.app', 'production',
            decode('04\(String(repeating: "00", count: 64))', 'hex'), 7, now(), now())
            """, database: database)
        try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
        let pool = PostgresPool(settings, connections: 1)
        let key = try await PostgresKeyStore(pool).key(Keys.id(1))
        #expect(key?.signCount == 7 && key?.accounts.isEmpty == true && key?.deviceBan == nil)
        await pool.close()
    }

    @Test("refuse tables of a later version")
    func laterVersion() async throws {
        try await TwoGates.run { (gates) async throws in
            try await gates.server.sql("INSERT INTO gate_schema VALUES (7, now())", database: gates.database)
            let settings = try PostgresSettings(patient: gates.server.url(gates.database))
            await #expect(throws: StoreError.refused("the tables are of version 7; this gate knows versions up to 2")) {
                try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
            }
        }
    }

    @Test("work as a user who may do nothing but read and write rows")
    func leastPrivilege() async throws {
        try await TwoGates.run { (gates) async throws in
            try await gates.server.sql(
                """
                REVOKE CREATE ON SCHEMA public FROM PUBLIC;
                CREATE USER clerk_\(gates.database) PASSWORD 'clerk';
                GRANT SELECT, INSERT, UPDATE, DELETE ON gate_keys, gate_nonces TO clerk_\(gates.database);
                GRANT SELECT ON gate_schema TO clerk_\(gates.database)
                """, database: gates.database)
            let url = gates.server.url(gates.database, user: "clerk_\(gates.database)", password: "clerk")
            let stores = try await Stores.open(keys: .postgres(url), nonces: .postgres(url), .patient)
            #expect(try await stores.keys.insertIfAbsent(Keys.key(1)) == .inserted)
            await stores.close()
        }
    }

    @Test("make no key older while the database's clock is behind")
    func databaseBehind() async throws {
        try await TwoGates.run { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            // What a clock that is right wrote, before it was set back by a day.
            try await gates.server.sql(
                "UPDATE gate_keys SET last_used_at = now() + interval '1 day'", database: gates.database)
            #expect(
                try await gates.keys[1].advance(Keys.id(1), to: 1, facts: .init(), now: Keys.time) == .advanced)
            let row = try await gates.server.sql(
                "SELECT last_used_at > now() + interval '23 hours', last_asserted_at = last_used_at FROM gate_keys",
                database: gates.database)
            #expect(row == ["t|t"])
        }
    }

    @Test("forget a key only where the clocks of the database and the gate both call it unused")
    func bothClocks() async throws {
        try await TwoGates.run { (gates) async throws in
            let (now, day) = (SystemClock().now, Duration.seconds(86_400))
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1, usedAt: now - day * 100))
            // To the gate the database's clock is ahead by 99 days.
            #expect(try await gates.keys[1].removeUnused(for: day * 90, now: now - day * 99, limit: 9) == 0)
            #expect(try await gates.keys[1].removeUnused(for: day * 90, now: now, limit: 9) == 1)
        }
    }

    @Test("take no nonce that was kept while the database's clock was ahead")
    func nonceFromAhead() async throws {
        try await TwoGates.run { (gates) async throws in
            for number in 1...2 {
                _ = try await gates.nonces[0].put(
                    Keys.nonce(number), expiresAt: Keys.time + 60_000, owner: ClientKey(high: 0, low: 1))
            }
            #expect(try await gates.nonces[1].consume(Keys.nonce(1), now: Keys.time))
            try await gates.server.sql(
                "UPDATE gate_nonces SET expires_at = expires_at + interval '2 days'", database: gates.database)
            #expect(try await gates.nonces[1].consume(Keys.nonce(2), now: Keys.time) == false)
            #expect(try await gates.nonces[0].count() == 0)
        }
    }

    @Test("see what the other wrote, in the columns of the specification")
    func columns() async throws {
        try await TwoGates.run { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.fullKey(1))
            let row = try await gates.server.sql(
                """
                SELECT key_id, app_id, environment, length(public_key), sign_count, category, risk_metric,
                to_char(registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'),
                to_char(revoked_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), revoked_reason,
                encode(receipt, 'hex') = string_agg(lpad(to_hex(n), 2, '0'), '' ORDER BY n)
                FROM gate_keys, generate_series(0, 255) n GROUP BY key_id
                """, database: gates.database)
            #expect(
                row == [
                    """
                    \(Keys.id(1).base64)|ABCDE12345.com.example.app|development|65|4294967295|4294967295|3|\
                    2026-02-17 00:00:00.000|2026-02-17 00:00:00.002|lost — reported|t
                    """
                ])
            // The database checks what must never be.
            await #expect(throws: ChildProgram.Failure.self) {
                try await gates.server.sql("UPDATE gate_keys SET sign_count = -1", database: gates.database)
            }
        }
    }

    @Test("refuse text that PostgreSQL cannot keep, and a row that is no key")
    func oddValues() async throws {
        try await TwoGates.run { (gates) async throws in
            _ = try await gates.keys[0].insertIfAbsent(Keys.key(1))
            await #expect(throws: StoreError.refused("PostgreSQL keeps no text with a NUL")) {
                try await gates.keys[0].revoke(Keys.id(1), Revocation(at: 0, reason: "a\0b"))
            }
            try await gates.server.sql("UPDATE gate_keys SET public_key = '\\x04'", database: gates.database)
            await #expect(throws: StoreError.corrupt("a public key in PostgreSQL has 1 bytes")) {
                try await gates.keys[1].key(Keys.id(1))
            }
        }
    }

    @Test("sweep many nonces, also both at once")
    func sweep() async throws {
        try await TwoGates.run { (gates) async throws in
            try await gates.server.sql(
                """
                INSERT INTO gate_nonces SELECT decode(md5(n::text) || md5((-n)::text), 'hex'), now() - interval '1 s'
                FROM generate_series(1, 3500) n
                """, database: gates.database)
            _ = try await gates.nonces[0].put(
                Keys.nonce(1), expiresAt: Keys.time + 3_600_000, owner: .init(high: 0, low: 0))
            async let one: Void = gates.nonces[0].sweep(now: 0)
            async let two: Void = gates.nonces[1].sweep(now: 0)
            _ = try await (one, two)
            #expect(try await gates.nonces[1].count() == 1)
        }
    }
}
