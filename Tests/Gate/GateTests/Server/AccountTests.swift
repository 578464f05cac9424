import AppAttest
import TestSupport
import Testing

@testable import Gate

@Suite("Accounts that the service names", .timeLimit(.minutes(30)))
struct AccountTests {
    let files: TemporaryFolder
    let upstream: RawServer

    init() async throws {
        files = try TemporaryFolder()
        upstream = try await RawServer.start()
    }

    private func site(_ policy: String = "on", _ changes: [String: String] = [:]) async throws -> ServerSite {
        let secret = try files.write(String(repeating: "s", count: 32), to: "accounts")
        let own = [
            "UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)", "ACCOUNT_BINDING": policy, "ACCOUNT_SECRET_PATH": secret,
        ]
        return try await ServerSite(own.merging(changes) { $1 })
    }

    /// Connects, and lets the service answer with these fields.
    private func connect(
        _ device: Device, _ counter: UInt32, to site: ServerSite, answer: [String], then bytes: [UInt8] = []
    ) async throws -> (client: RawClient, reply: Reply, end: RawClient) {
        let client = try await site.connect()
        async let reply = client.request("GET", "/", RawClient.handshake + site.assertion(device, counter: counter))
        let end = try await upstream.next()
        let key = try #require(try await end.readHead().fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        try await end.send(UpstreamEnd.answer(to: key, answer) + bytes)
        return (client, try await reply, end)
    }

    private func stored(_ device: Device, _ site: ServerSite) async throws -> AttestedKey {
        let id = try #require(KeyID(bytes: device.keyName))
        return try #require(try await site.stores.keys.key(id))
    }

    @Test("the client does not see the account, the store does not see its name, and no byte of the service is lost")
    func binding() async throws {
        let site = try await site()
        let device = try await site.registered()
        let (client, reply, _) = try await connect(
            device, 1, to: site, answer: ["X-Gate-Account: alice@example.com", "X-Own: 1"],
            then: RawClient.frame(0x81, [65], key: nil))
        #expect(reply.status == 101 && reply.values("X-Own") == ["1"])
        #expect(reply.values("X-Gate-Account").isEmpty && !reply.text.contains("alice"))
        #expect(try await client.readMessage().payload == [65])
        let names = try #require(AccountNames(secret: Array(repeating: UInt8(ascii: "s"), count: 32)))
        #expect(try await stored(device, site).accounts == [names.tag(of: "alice@example.com")])
        #expect(site.server.gate.metrics.accounts.value(.bound) == 1)
        #expect(!site.events.events.contains { $0.jsonLine(at: 0).contains("alice") })
    }

    @Test(
        "the account is taken out where nobody asks for it too", arguments: ["X-Gate-Account: a", "x_gate_account: a"])
    func stripped(_ line: String) async throws {
        let plain = try await ServerSite(["UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)"])
        let device = try await plain.registered()
        let (_, reply, _) = try await connect(device, 1, to: plain, answer: [line])
        #expect(reply.status == 101)
        #expect(reply.values("X-Gate-Account").isEmpty && reply.values("x_gate_account").isEmpty)
        #expect(try await stored(device, plain).accounts.isEmpty)
    }

    @Test("a banned account gets in with no key, neither an old nor a new one, and others do")
    func ban() async throws {
        let path = files.path("admin")
        let site = try await site("on", ["ADMIN_BIND": "unix:\(path)"])
        func admin(_ method: String, _ target: String, _ account: String? = nil) async throws -> Reply {
            let fields = account.map { [("X-Gate-Account", $0)] } ?? []
            return try await RawClient.request(unix: path, method, target, fields)
        }
        let (first, second, other) = (
            try await site.registered(), try await site.registered(), try await site.registered()
        )
        let mallory = ["X-Gate-Account: mallory"]
        let (open, _, itsEnd) = try await connect(first, 1, to: site, answer: mallory)
        let (stays, _, otherEnd) = try await connect(other, 1, to: site, answer: ["X-Gate-Account: bob"])
        let reply = try await admin("POST", "/admin/accounts/ban", "mallory")
        #expect(reply.status == 200 && reply.member("keys") == "1")
        #expect(try await open.readMessage().closeCode == 1008)
        let old = try await site.request("GET", "/", RawClient.handshake + site.assertion(first, counter: 2))
        #expect(old.code == "key_revoked")

        let (_, new, end) = try await connect(second, 1, to: site, answer: mallory)
        #expect(new.status == 403 && new.code == "account_banned")
        #expect(await end.rest().isEmpty, "the service sees its connection end")
        #expect(try await stored(second, site).revocation?.reason == "banned account")
        let again = try await site.request("GET", "/", RawClient.handshake + site.assertion(second, counter: 2))
        #expect(again.code == "key_revoked")
        #expect(site.server.gate.metrics.accounts.value(.banned) == 1)

        let list = try await admin("GET", "/admin/accounts")
        #expect(list.status == 200 && !list.text.contains("mallory") && list.text.contains(#""reason":"operator""#))
        #expect(try await admin("POST", "/admin/accounts/unban", "mallory").status == 200)
        #expect(try await admin("POST", "/admin/accounts/unban", "mallory").status == 404)
        #expect(try await admin("POST", "/admin/accounts/ban").status == 400)
        let third = try await site.registered()
        #expect(try await connect(third, 1, to: site, answer: mallory).reply.status == 101)
        try await stays.send(text: "still here")
        #expect(try await otherEnd.readFrame().opcode == 1)
        withExtendedLifetime(itsEnd) {}
    }

    @Test("what is no name of one account refuses the service's answer, and where one is required its absence too")
    func badNames() async throws {
        for (policy, lines) in [
            ("require", []), ("on", ["X-Gate-Account: a", "X-Gate-Account: b"]), ("on", ["X-Gate-Account:"]),
            ("on", ["X-Gate-Account: " + String(repeating: "a", count: 257)]),
        ] {
            let site = try await site(policy)
            let device = try await site.registered()
            let (_, reply, _) = try await connect(device, 1, to: site, answer: lines)
            #expect(reply.status == 502 && reply.code == "upstream_refused", "\(lines)")
            #expect(try await stored(device, site).accounts.isEmpty)
            #expect(site.server.gate.caps.total == 0)
        }
        let site = try await site("on")
        let device = try await site.registered()
        #expect(try await connect(device, 1, to: site, answer: []).reply.status == 101)
    }

    @Test("a key that was used with sixteen accounts is let in with no other")
    func tooMany() async throws {
        let site = try await site()
        let device = try await site.registered()
        for number in UInt32(1)...16 {
            let (client, reply, _) = try await connect(device, number, to: site, answer: ["X-Gate-Account: a\(number)"])
            #expect(reply.status == 101)
            client.close()
        }
        #expect(
            try await connect(device, 17, to: site, answer: ["X-Gate-Account: b"]).reply.code == "too_many_accounts")
        #expect(try await connect(device, 18, to: site, answer: ["X-Gate-Account: a3"]).reply.status == 101)
    }
}
