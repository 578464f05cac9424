import Foundation
import TestSupport
import Testing

@testable import Gate

/// The rows of the table of requests and answers, over sockets.
@Suite("The gate's HTTP table over sockets", .timeLimit(.minutes(30)))
struct HTTPTableTests {
    static let rows: [JSON] = {
        let file = packageRoot.appending(path: "Tests/Gate/GateTests/Fixtures/gate-http.json")
        return (try? JSON(contentsOf: file).array) ?? []
    }()

    private static func name(_ row: JSON) -> String { row["name"].string ?? "" }

    /// Rows of the program's start, and those that need a certificate of a client: other tests have them.
    static let requests = rows.filter {
        $0["request"]["startup"].bool != true && !name($0).hasPrefix("upgrade-mtls") && name($0) != "slowloris"
    }

    @Test("there are 72 rows, and all that are requests are driven here or with TLS")
    func counts() {
        #expect(Self.rows.count == 72)
        #expect(Self.requests.count == 62)
    }

    @Test("a request over a socket has its answer", arguments: requests, [RelayPlace.loop, .thread])
    func answer(_ row: JSON, _ place: RelayPlace) async throws {
        var environment = row["env"].object.compactMapValues(\.string)
        let name = Self.name(row)
        switch name {
        case "challenge-rate-limited": environment["CHALLENGE_RATE"] = "30/60s"
        case "register-rate-limited": environment["REGISTER_RATE"] = "5/60s"
        case "upgrade-upstream-down": environment["UPSTREAM_URL"] = "ws://127.0.0.1:1"
        default: break
        }
        let ids = ["APPATTEST_BUNDLE_ID", "APPATTEST_TEAM_ID"]
        // On a busy machine thirty requests take so long that some of the rate comes back.
        let clock: any GateClock = name.hasSuffix("rate-limited") ? StillClock() : SystemClock()
        let site = try await ServerSite(
            on: place, environment, without: name == "app-attest-not-configured" ? ids : [], clock: clock)
        let client = try await site.connect()
        let reply = try await prepared(name, row, site, client)
        let expected = row["expect"]
        #expect(reply.status == expected["status"].int)
        for (member, value) in expected["json"].object {
            #expect(reply.member(member) == (value.string ?? value.bool.map { $0 ? "1" : "0" }))
        }
        for (field, value) in expected["headers"].object {
            #expect(reply.values(field).count == 1)
            if let text = value.string, !text.hasPrefix("<") { #expect(reply.values(field).first == text) }
        }
        for member in expected["json_keys"].object.keys { #expect(reply.member(member) != nil) }
        if let code = expected["close_code"].int {
            let frame = try await client.readFrame()
            #expect(frame.closeCode == code)
            #expect(frame.closeReason == expected["close_reason"].string)
            #expect(await client.rest().isEmpty)
        }
        if expected["rule"].string?.contains("closed") == true { #expect(await client.rest().isEmpty) }
    }

    private func plain(_ row: JSON, _ client: RawClient) async throws -> Reply {
        let request = row["request"]
        let fields = request["headers"].object.flatMap { name, value in
            value.array.isEmpty ? [(name, value.string ?? "")] : value.array.map { (name, $0.string ?? "") }
        }
        return try await client.request(
            request["method"].string ?? "", request["path"].string ?? "", fields,
            body: Array((request["body"].string ?? "").utf8))
    }

    private func upgrade(_ client: RawClient, _ fields: [(String, String)]) async throws -> Reply {
        try await client.request("GET", "/", RawClient.handshake + fields)
    }

    /// Rows with a placeholder or a story; every other row is what it says.
    private func prepared(_ name: String, _ row: JSON, _ site: ServerSite, _ client: RawClient) async throws -> Reply {
        let device = Device()
        switch name {
        case "challenge-twice-differs":
            #expect(try await site.nonce() != site.nonce())
            return try await plain(row, client)
        case "challenge-head":
            let reply = try await plain(row, client)
            #expect(try await site.stores.nonces.count() == 0)
            // The next answer begins where this one ended: there was no body.
            #expect(try await client.request("GET", "/healthz").status == 200)
            return reply
        case "challenge-rate-limited":
            for _ in 0..<30 { #expect(try await plain(row, client).status == 200) }
            return try await plain(row, client)
        case "register-rate-limited":
            for _ in 0..<5 { #expect(try await plain(row, client).status == 400) }
            return try await plain(row, client)
        case "register-chunked-too-large":
            let chunk = Array("8000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x8000) + Array("\r\n".utf8)
            return try await client.request(
                "POST", "/attest/register", [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")],
                body: chunk + chunk + Array("1\r\n \r\n0\r\n\r\n".utf8))
        case "register-alias-nonce-field": return try await site.register(device, field: "nonce")
        case "register-ok":
            let reply = try await site.register(device)
            #expect(try await site.counter(of: device) == 0)
            return reply
        case "register-rejected": return try await site.register(device, over: site.nonce())
        case "register-again-same-key":
            let known = try await site.registered(counter: 7)
            let reply = try await site.register(known)
            #expect(try await site.counter(of: known) == 7)
            return reply
        case "register-nonce-reuse":
            let nonce = try await site.nonce()
            #expect(try await site.register(device, nonce: nonce).status == 200)
            return try await site.register(device, nonce: nonce)
        default: return try await preparedUpgrade(name, row, site, client)
        }
    }

    private func preparedUpgrade(
        _ name: String, _ row: JSON, _ site: ServerSite, _ client: RawClient
    ) async throws -> Reply {
        switch name {
        case "upgrade-unknown-key": return try await upgrade(client, site.assertion(Device(), counter: 1))
        case "upgrade-bad-signature":
            let device = try await site.registered()
            return try await upgrade(client, site.assertion(device, counter: 1, by: Device()))
        case "upgrade-ok":
            let device = try await site.registered()
            let reply = try await upgrade(client, site.assertion(device, counter: 1))
            #expect(try await site.counter(of: device) == 1)
            return reply
        case "upgrade-replay":
            let fields = try await site.assertion(site.registered(), counter: 1)
            #expect(try await upgrade(client, fields).status == 101)
            return try await upgrade(site.connect(), fields)
        case "upgrade-counter-not-increasing":
            return try await upgrade(client, site.assertion(site.registered(counter: 1), counter: 1))
        case "upgrade-upstream-down": return try await upgrade(client, site.assertion(site.registered(), counter: 1))
        case "upgrade-upstream-http-404":
            let upstream = try await RawServer.start()
            let other = try await ServerSite(["UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)"])
            let fields = try await other.assertion(other.registered(), counter: 1)
            async let reply = upgrade(other.connect(), fields)
            let end = try await upstream.next()
            _ = try await end.readHead()
            try await end.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return try await reply
        case "upgrade-draining", "reject-mode-close-draining", "health-ready-draining":
            site.server.gate.beginDraining()
            return try await plain(row, client)
        default: return try await preparedBytes(name, row, client)
        }
    }

    private func preparedBytes(_ name: String, _ row: JSON, _ client: RawClient) async throws -> Reply {
        switch name {
        case "header-block-too-large":
            let field = "X-Long: " + String(repeating: "a", count: 8_000) + "\r\n"
            try await client.send("GET / HTTP/1.1\r\nHost: gate.test\r\n\(field)\(field)\(field)\r\n")
        case "no-host": try await client.send("GET /attest/challenge HTTP/1.1\r\n\r\n")
        case "http-1.0-upgrade":
            let fields = RawClient.handshake.map { "\($0): \($1)\r\n" }.joined()
            try await client.send("GET / HTTP/1.0\r\n\(fields)\r\n")
        case "smuggling-cl-te":
            try await client.send(
                "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 5\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        case "bare-lf-header": try await client.send("GET /healthz HTTP/1.1\nHost: a\n\n")
        default: return try await plain(row, client)
        }
        return try await client.reply()
    }
}
