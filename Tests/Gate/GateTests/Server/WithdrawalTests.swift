import AppAttest
import TestSupport
import Testing

@testable import Gate

@Suite(
    "Keys that are withdrawn elsewhere", .timeLimit(.minutes(30)),
    .enabled(if: PostgresServer.isPossible, "no PostgreSQL server to start"))
struct WithdrawalTests {
    private let server: PostgresServer
    private let database: String

    init() async throws {
        server = try await PostgresServer.shared()
        database = try await server.makeDatabase()
    }

    private func settings(
        user: String = PostgresServer.user, password: String = PostgresServer.encodedPassword
    ) throws -> PostgresSettings {
        try PostgresSettings(patient: server.url(database, user: user, password: password))
    }

    private func stores() async throws -> Stores {
        let settings = try settings()
        try await OffPool.run { () throws(StoreError) in try PostgresSchema.migrate(settings) }
        return Stores(keys: PostgresKeyStore(PostgresPool(settings, connections: 2)), nonces: MemoryNonceStore())
    }

    private func isTelling(_ settings: PostgresSettings) async throws -> Bool {
        try await OffPool.run { () throws(StoreError) in try PostgresListener.isPossible(settings) }
    }

    private func site(asksEvery standingInterval: Duration) async throws -> ServerSite {
        try await ServerSite(stores: try await stores(), standingInterval: standingInterval)
    }

    private func waitForListeners(_ count: Int) async throws {
        while try await server.listeners(in: database).count != count {}
    }

    @Test("lose their connections at every gate as soon as the database tells of it")
    func told() async throws {
        // None of them asks by itself while the test runs.
        let sites = [try await site(asksEvery: .seconds(86_400)), try await site(asksEvery: .seconds(86_400))]
        let others = try await stores()
        let (revoked, banned, deleted, stays) = (Device(), Device(), Device(), Device())
        for device in [revoked, banned, deleted, stays] {
            _ = try await others.keys.insertIfAbsent(device.registered())
        }
        func connections(_ device: Device) async throws -> [RawClient] {
            var clients: [RawClient] = []
            for (site, counter) in zip(sites, 1...) {
                clients.append(
                    try await site.webSocket("/", site.assertion(device, counter: UInt32(counter))))
            }
            return clients
        }
        let remaining = try await connections(stays)
        try await waitForListeners(2)
        let revocation = Revocation(at: ServerSite.now, reason: "test")
        let acts: [(Device, (KeyID) async throws -> Bool)] = [
            (revoked, { try await others.keys.revoke($0, revocation) }),
            (banned, { try await others.keys.ban($0, revocation) }),
            (deleted, { try await others.keys.delete($0) }),
        ]
        for (device, act) in acts {
            let clients = try await connections(device)
            #expect(try await act(#require(KeyID(bytes: device.keyName))))
            for client in clients { #expect(try await client.readMessage().closeCode == 1008) }
        }
        for client in remaining {
            try await client.send(text: "still in")
            let frame = try await client.readMessage()
            #expect(frame.payload == Array("still in".utf8), "\(frame.opcode) \(String(describing: frame.closeCode))")
        }
        await others.close()
        withExtendedLifetime(sites) {}
    }

    @Test("lose them when an account is banned that they were used with")
    func bannedAccount() async throws {
        let site = try await site(asksEvery: .seconds(86_400))
        let others = try await stores()
        let device = Device()
        let key = try device.registered()
        _ = try await others.keys.insertIfAbsent(key)
        let account = try #require(AccountTag(hex: String(repeating: "ab", count: AccountTag.byteCount)))
        #expect(try await others.keys.bind(key.id, to: account) == .bound)
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await waitForListeners(1)
        #expect(
            try await others.keys.ban(AccountBan(account: account, at: ServerSite.now, reason: "test")) == [key.id])
        #expect(try await client.readMessage().closeCode == 1008)
        await others.close()
    }

    @Test("lose them also while nobody tells: the gate asks")
    func deaf() async throws {
        let site = try await site(asksEvery: .milliseconds(50))
        let device = Device()
        let key = try device.registered()
        _ = try await site.stores.keys.insertIfAbsent(key)
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await waitForListeners(1)
        // By hand, which tells nobody, and in the moment in which the gate cannot hear.
        try await server.sql(
            """
            SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
            WHERE datname = '\(database)' AND query LIKE 'LISTEN%';
            UPDATE gate_keys SET revoked_at = now(), revoked_reason = 'by hand'
            """, database: database)
        #expect(try await client.readMessage().closeCode == 1008)
    }

    @Test("are heard of again when the connection that listens was cut")
    func cut() async throws {
        let site = try await site(asksEvery: .seconds(86_400))
        let device = Device()
        let key = try device.registered()
        _ = try await site.stores.keys.insertIfAbsent(key)
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await waitForListeners(1)
        let first = try await server.listeners(in: database)
        try await server.sql("SELECT pg_terminate_backend(\(first[0]), 60000)", database: database)
        var second = first
        while second.isEmpty || second == first { second = try await server.listeners(in: database) }
        #expect(try await site.stores.keys.revoke(key.id, Revocation(at: ServerSite.now, reason: "test")))
        #expect(try await client.readMessage().closeCode == 1008)
        withExtendedLifetime(site) {}
    }

    @Test("may be lied about: what counts is what the store says")
    func lies() async throws {
        let site = try await site(asksEvery: .seconds(86_400))
        let (device, other) = (Device(), Device())
        for device in [device, other] { _ = try await site.stores.keys.insertIfAbsent(device.registered()) }
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        let witness = try await site.webSocket("/", site.assertion(other, counter: 1))
        try await waitForListeners(1)
        let id = try device.registered().id.base64
        for lie in [id, "", "no key", String(repeating: "é", count: 3_000)] {
            try await server.sql("NOTIFY gate_withdrawals, '\(lie)'", database: database)
        }
        // What is told later is judged later.
        let revocation = Revocation(at: ServerSite.now, reason: "test")
        #expect(try await site.stores.keys.revoke(other.registered().id, revocation))
        #expect(try await witness.readMessage().closeCode == 1008)
        try await client.send(text: "still in")
        #expect(try await client.readMessage().payload == Array("still in".utf8))
        withExtendedLifetime(site) {}
    }

    @Test("are told by nobody where the gate may not tell, and all else is as before")
    func silent() async throws {
        let site = try await site(asksEvery: .seconds(86_400))
        let clerk = "clerk_\(database)"
        try await server.sql(
            """
            CREATE USER \(clerk) PASSWORD 'clerk';
            GRANT SELECT, INSERT, UPDATE, DELETE ON gate_keys, gate_banned_accounts TO \(clerk);
            GRANT SELECT ON gate_schema TO \(clerk);
            REVOKE EXECUTE ON FUNCTION pg_notify(text, text) FROM PUBLIC
            """, database: database)
        #expect(try await isTelling(settings()))
        let own = try settings(user: clerk, password: "clerk")
        let notifies = try await isTelling(own)
        #expect(!notifies)
        let keys = PostgresKeyStore(PostgresPool(own, connections: 1), notifies: notifies)
        let key = try Device().registered()
        _ = try await keys.insertIfAbsent(key)
        #expect(try await keys.revoke(key.id, Revocation(at: ServerSite.now, reason: "test")))
        #expect(try await keys.key(key.id)?.revocation?.reason == "test")
        #expect(try await keys.delete(key.id))
        #expect(try await !keys.delete(key.id))
        for await _ in keys.withdrawals() { Issue.record("told where nothing is told") }
        await keys.close()
        withExtendedLifetime(site) {}
    }
}

extension PostgresServer {
    /// The process numbers of the connections that listen.
    fileprivate func listeners(in database: String) async throws -> [String] {
        try await sql(
            """
            SELECT pid FROM pg_stat_activity
            WHERE datname = '\(database)' AND query LIKE 'LISTEN%' AND state = 'idle'
            """, database: database)
    }
}
