import AppAttest
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import Gate

/// The rows of the table of requests and answers, as far as they need no socket.
@Suite("The gate's HTTP table")
struct HTTPRuleTableTests {
    static let rows: [JSON] = {
        let file = packageRoot.appending(path: "Tests/Gate/GateTests/Fixtures/gate-http.json")
        return (try? JSON(contentsOf: file).array) ?? []
    }()

    /// Rows about bytes on a socket or files on a disk: the tests of the server's and the program's rooms have them.
    static let leftToSockets: Set<String> = [
        "bare-lf-header", "slowloris", "cert-key-mismatch", "store-dir-not-writable",
    ]

    private static func name(_ row: JSON) -> String { row["name"].string ?? "" }

    static let starts = rows.filter { $0["request"]["startup"].bool == true && !leftToSockets.contains(name($0)) }
    static let requests = rows.filter { $0["request"]["startup"].bool != true && !leftToSockets.contains(name($0)) }

    @Test("there are 72 rows, and all but four are driven here")
    func counts() {
        #expect(Self.rows.count == 72)
        #expect(Self.starts.count + Self.requests.count == 68)
    }

    @Test("a configuration that cannot be is refused with the variable's name", arguments: starts)
    func start(_ row: JSON) throws {
        let environment = ["UPSTREAM_URL": "ws://127.0.0.1:9", "INBOUND_TLS_MODE": "off"]
            .merging(row["env"].object.compactMapValues(\.string)) { $1 }
        let name = try #require(row["expect"]["stderr_contains"].string)
        #expect(row["expect"]["exit"].int == Int(ConfigurationFailure.exitStatus))
        let failure = #expect(throws: ConfigurationFailure.self) {
            try GateConfiguration(SettingSources(environment: environment))
        }
        #expect(failure?.description.contains(name) == true)
    }

    @Test("the rules give a request its answer", arguments: requests)
    func answer(_ row: JSON) async throws {
        var environment = row["env"].object.compactMapValues(\.string)
        if environment["ALLOW_MTLS_FALLBACK"] != nil { environment.merge(Site.tls) { $1 } }
        let withoutIDs = Self.name(row) == "app-attest-not-configured"
        let site = try Site(environment, without: withoutIDs ? ["APPATTEST_BUNDLE_ID", "APPATTEST_TEAM_ID"] : [])
        let reply = try await prepared(Self.name(row), row, site)
        try await check(reply, row["expect"], site)
    }

    private func check(_ reply: Site.Reply, _ expected: JSON, _ site: Site) async throws {
        #expect(reply.status == expected["status"].int)
        for (name, value) in expected["json"].object {
            #expect(reply.member(name) == (value.string ?? value.bool.map { $0 ? "1" : "0" }))
        }
        for (name, value) in expected["headers"].object {
            let found = reply.headers[name]
            #expect(found.count == 1)
            if let text = value.string, !text.hasPrefix("<") { #expect(found.first == text) }
        }
        if let code = expected["close_code"].int {
            #expect(reply.closeFrame?.code?.rawValue == UInt16(code))
            #expect(reply.closeFrame?.reason == expected["close_reason"].string)
        }
        if let counter = expected["store"]["signCount"].int {
            #expect(await site.keys.records[FormDevice(1).keyID]?.signCount == UInt32(counter))
        }
        let keys = expected["json_keys"].object.keys
        for key in keys { #expect(reply.member(key) != nil) }
    }

    private func plain(_ row: JSON, _ site: Site, certificate: PeerCertificate? = nil) async -> Site.Reply {
        let request = row["request"]
        let headers = request["headers"].object.flatMap { name, value in
            value.array.isEmpty ? [(name, value.string ?? "")] : value.array.map { (name, $0.string ?? "") }
        }
        return await site.send(
            request["method"].string ?? "", request["path"].string ?? "", headers,
            body: Array((request["body"].string ?? "").utf8), certificate: certificate)
    }

    /// Rows with a placeholder or a story; every other row is what it says.
    private func prepared(_ name: String, _ row: JSON, _ site: Site) async throws -> Site.Reply {
        let device = FormDevice(1)
        switch name {
        case "challenge-twice-differs":
            #expect(try await site.nonce() != site.nonce())
            return await plain(row, site)
        case "challenge-head":
            let reply = await plain(row, site)
            #expect(reply.body.isEmpty)
            #expect(try await site.nonces.count() == 0)
            return reply
        case "challenge-rate-limited":
            for _ in 0..<30 { #expect(await plain(row, site).status == 200) }
            return await plain(row, site)
        case "register-rate-limited":
            for _ in 0..<5 { #expect(await plain(row, site).status == 400) }
            return await plain(row, site)
        case "register-chunked-too-large":
            return await site.send(
                "POST", "/attest/register", [("Content-Type", "application/json"), ("Transfer-Encoding", "chunked")],
                body: Array(repeating: UInt8(ascii: " "), count: 65_537))
        case "register-alias-nonce-field": return try await site.register(device, field: "nonce")
        case "register-ok": return try await site.register(device)
        case "register-rejected": return try await site.register(device, over: site.nonce())
        case "register-again-same-key":
            _ = try await site.registered(1, counter: 7)
            return try await site.register(device)
        case "register-nonce-reuse":
            let nonce = try await site.nonce()
            #expect(try await site.register(device, nonce: nonce).status == 200)
            return try await site.register(device, nonce: nonce)
        default: return try await preparedUpgrade(name, row, site)
        }
    }

    private func preparedUpgrade(_ name: String, _ row: JSON, _ site: Site) async throws -> Site.Reply {
        let verified = PeerCertificate(isVerified: true, commonName: "a developer", keyUsage: .absent)
        switch name {
        case "upgrade-unknown-key": return try await site.connect(FormDevice(1), counter: 1)
        case "upgrade-bad-signature":
            let device = try await site.registered(1)
            let headers = Site.assertion(device, try await site.nonce(), counter: 1, by: FormDevice(2))
            return await site.send("GET", "/", Site.handshake + headers)
        case "upgrade-ok": return try await site.connect(site.registered(1), counter: 1)
        case "upgrade-replay":
            let device = try await site.registered(1)
            let nonce = try await site.nonce()
            #expect(try await site.connect(device, counter: 1, nonce: nonce).status == 101)
            return try await site.connect(device, counter: 1, nonce: nonce)
        case "upgrade-counter-not-increasing":
            return try await site.connect(site.registered(1, counter: 1), counter: 1)
        case "upgrade-mtls-ok", "upgrade-mtls-in-production": return await plain(row, site, certificate: verified)
        case "upgrade-mtls-does-not-override-bad-assertion":
            let headers = Site.assertion(FormDevice(9), String(repeating: "0", count: 64), counter: 1)
            return await site.send(
                "GET", "/", Site.handshake + [headers[0], ("X-App-Assert-Data", "x"), headers[2]], certificate: verified
            )
        case "upgrade-upstream-down", "upgrade-upstream-http-404":
            let admitted = try await site.connect(site.registered(1), counter: 1)
            let admission = try #require(admitted.admission)
            let head = HTTPRequestHead(
                version: .http1_1, method: .GET, uri: "/",
                headers: HTTPHeaders(Site.handshake + [("Host", "gate.example")]))
            let visitor = Visitor(
                peer: Site.address, headers: head.headers, requestID: site.gate.requestID(),
                by: site.configuration.addresses)
            let code: RefusalCode = name == "upgrade-upstream-down" ? .upstreamUnreachable : .upstreamRefused
            return Site.Reply(
                site.gate.refuse(Refusal(code), to: visitor, of: head, as: admission.identity))
        case "upgrade-draining", "reject-mode-close-draining", "health-ready-draining":
            site.gate.beginDraining()
            return await plain(row, site)
        case "header-block-too-large":
            return await site.send("GET", "/", (0..<17).map { ("X-\($0)", String(repeating: "a", count: 1_024)) })
        case "no-host":
            return await site.send(
                HTTPRequestHead(version: .http1_1, method: .GET, uri: "/attest/challenge", headers: HTTPHeaders()))
        case "http-1.0-upgrade":
            return await site.send("GET", "/", Site.handshake, version: .init(major: 1, minor: 0))
        case "smuggling-cl-te":
            let reply = await site.send(
                "POST", "/attest/register",
                [("Content-Type", "application/json"), ("Content-Length", "5"), ("Transfer-Encoding", "chunked")])
            #expect(reply.headers.single("connection") == .one("close"))
            return reply
        default: return await plain(row, site)
        }
    }
}
