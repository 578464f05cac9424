import TestSupport
import Testing

@testable import Gate

@Suite("Stores by their addresses")
struct StoresTests {
    @Test("a JSON file and memory are the embedded default")
    func embedded() async throws {
        let folder = try TemporaryFolder()
        try folder.write("{\"x\": 1}", to: "keys.json")
        var options = Stores.Options { Keys.time }
        options.timer = ManualTimer()
        let stores = try await Stores.open(keys: .json(path: folder.path("keys.json")), nonces: .memory, options)
        #expect(stores.opening == .init(keys: 0, skipped: 1))
        #expect(stores.keys is JSONKeyStore && stores.nonces is MemoryNonceStore)
        await stores.close()
    }

    @Test("one database serves both, over the same connections", .enabled(if: PostgresServer.isPossible))
    func shared() async throws {
        let server = try await PostgresServer.shared()
        let url = server.url(try await server.makeDatabase())
        let stores = try await Stores.open(keys: .postgres(url), nonces: .postgres(url), .patient)
        #expect(try await stores.keys.insertIfAbsent(Keys.key(1)) == .inserted)
        #expect(
            try await stores.nonces.put(Keys.nonce(1), expiresAt: Keys.time + 60_000, owner: .init(high: 0, low: 0)))
        await stores.close()
        await #expect(throws: StoreError.self) { try await stores.nonces.count() }
    }

    @Test(
        "an address that names no store is refused with a hint",
        arguments: [
            ("", "json:PATH"), ("keys.json", "json:PATH"), ("json:", "path"), ("memory:x", "memory:"),
            ("sqlite:keys.db", "sqlite: stores are not built"), ("redis://h", "redis: stores are not built"),
            ("rediss://h", "rediss: stores are not built"), ("postgres:x", "postgres://"),
            ("mysql://h", "no such kind"),
        ])
    func refused(address: String, hint: String) {
        #expect {
            try StoreAddress(address)
        } throws: { error in
            if case .refused(let why) = error as? StoreError { why.contains(hint) } else { false }
        }
    }

    private static let addresses: [(String, [[String: String]])] = [
        ("u:p@one/d", [[:]]), ("/d", [[:]]),
        ("one:5,two:6/d", [["host": "one", "port": "5"], ["host": "two", "port": "6"]]),
        ("one,[::1]:6/d", [["host": "one", "port": "5432"], ["host": "::1", "port": "6"]]),
        ("one,two/d?port=7", [["host": "one"], ["host": "two"]]),
        (
            "one,two/d?hostaddr=10.0.0.1,10.0.0.2",
            [
                ["host": "one", "hostaddr": "10.0.0.1", "port": "5432"],
                ["host": "two", "hostaddr": "10.0.0.2", "port": "5432"],
            ]
        ),
        ("/d?hostaddr=10.0.0.1,10.0.0.2", [["hostaddr": "10.0.0.1"], ["hostaddr": "10.0.0.2"]]),
        // What libpq completes or refuses.
        ("one,/d", [[:]]), ("one,two/d?port=1,2,3", [[:]]),
    ]

    @Test("hosts of a database's address are asked one by one", arguments: addresses)
    func hosts(address: String, hosts: [[String: String]]) throws {
        #expect(try PostgresSettings(url: "postgres://" + address).hosts == hosts)
    }

    @Test("the addresses of a host's name are asked one by one, and a socket or an address is as it is")
    func hostAddresses() throws {
        let known = [
            "two": ["10.0.0.1", "fe80::2%eth0"], "one": ["10.0.0.3"], "many": (1...20).map { "10.0.1.\($0)" },
        ]
        func apart(_ address: String) throws -> [[String: String]] {
            let settings = try PostgresSettings(url: "postgres://" + address)
            return settings.hosts.flatMap { host in
                HostAddresses.apart(host, soleHost: settings.soleHost) { known[$0] ?? [] }
            }
        }
        let both = [["hostaddr": "10.0.0.1"], ["hostaddr": "fe80::2%eth0"]]
        #expect(try apart("u:p@two:7/d") == both)
        #expect(try apart("/d?host=two") == both)
        for address in ["one/d", "none/d", "/d", "%2Frun%2Fpg/d", "two/d?hostaddr=10.0.0.9", "two,/d"] {
            #expect(try apart(address) == [[:]], "\(address)")
        }
        #expect(
            try apart("one,two/d?port=7") == [
                ["host": "one"], ["host": "two", "hostaddr": "10.0.0.1"], ["host": "two", "hostaddr": "fe80::2%eth0"],
            ])
        #expect(try apart("many/d").count == HostAddresses.limit)
        #expect(HostAddresses.resolved("127.0.0.1") == ["127.0.0.1"] && HostAddresses.resolved("::1") == ["::1"])
    }

    @Test("connect_timeout of a database's address counts before the gate's own time, and is refused where it is none")
    func connectTime() throws {
        let settings = try PostgresSettings(url: "postgres://h/d?connect_timeout=7", time: .seconds(3))
        #expect(settings.connectTime == .seconds(7) && settings.statementTime == .seconds(3))
        #expect(try PostgresSettings(url: "postgres://h/d", time: .seconds(3)).connectTime == .seconds(3))
        for time in ["0", "-1", "601", "soon"] {
            #expect(throws: StoreError.self, "\(time)") {
                try PostgresSettings(url: "postgres://h/d?connect_timeout=\(time)")
            }
        }
    }

    @Test("nonces are not kept in a file")
    func nonces() async throws {
        await #expect(throws: StoreError.self) {
            try await Stores.open(keys: .memory, nonces: .json(path: "x"), Stores.Options { 0 })
        }
    }
}
