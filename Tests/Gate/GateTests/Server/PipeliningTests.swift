import NIOCore
import NIOHTTP1
import Testing

@testable import Gate

@Suite("Requests that are sent without waiting", .timeLimit(.minutes(30)))
struct PipeliningTests {
    private static let upgrade =
        "GET / HTTP/1.1\r\nHost: a\r\n" + RawClient.handshake.map { "\($0): \($1)\r\n" }.joined() + "\r\n"

    private func site(before host: String, _ upstream: RawServer, on place: RelayPlace) async throws -> ServerSite {
        try await ServerSite(
            ["REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "ws://\(host):\(upstream.port)"], before: upstream,
            place: place)
    }

    @Test(
        "an upgrade that the upstream refuses costs the next one nothing", arguments: RelayPlace.allCases,
        ["127.0.0.1", "localhost"])
    func refusedFirst(_ place: RelayPlace, _ host: String) async throws {
        let upstream = try await RawServer.start()
        let site = try await site(before: host, upstream, on: place)
        let client = try await site.connect()
        try await client.send(Self.upgrade + Self.upgrade + Self.upgrade)
        for _ in 0..<2 {
            let end = try await upstream.next()
            _ = try await end.readHead()
            try await end.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
            #expect(try await client.reply().code == "upstream_refused")
        }
        let end = try await upstream.next()
        try await UpstreamEnd.open(end)
        #expect(try await client.reply().status == 101)
        try await client.send(text: "hello")
        #expect(try await end.readMessage().payload == Array("hello".utf8))
        #expect(site.server.gate.metrics.upstreamErrors.value(.refused) == 2)
        #expect(site.server.gate.metrics.upstreamErrors.value(.unreachable) == 0)
    }

    @Test("a hundred upgrades to an upstream that is not there are all answered", arguments: RelayPlace.allCases)
    func noUpstream(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place, ["REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "ws://127.0.0.1:1"])
        let client = try await site.connect()
        try await client.send(String(repeating: Self.upgrade, count: 100))
        for _ in 0..<100 { #expect(try await client.reply().code == "upstream_unreachable") }
        #expect(await client.rest().isEmpty)
        #expect(site.server.gate.metrics.connections.value(.connecting) == 0)
    }

    @Test("requests that are answered at once are not answered inside of each other")
    func depth() async throws {
        let loop = testLoops.next()
        let handler = try await loop.submit {
            let handler = Immediate()
            let settings = HTTPConversation.Settings(header: .hours(1), body: .hours(1))
            let http = HTTPConversation(handler, settings, on: loop)
            let connection = Nowhere()
            http.begin(on: connection)
            http.receive(ByteBuffer(string: String(repeating: "GET / HTTP/1.1\r\nHost: a\r\n\r\n", count: 50)))
            http.end()
            return withExtendedLifetime(connection) { (requests: handler.requests, deepest: handler.deepest) }
        }.get()
        #expect(handler.requests == 50 && handler.deepest == 1)
    }
}

/// Answers each request before the call ends.
private final class Immediate: RequestHandler {
    private(set) var requests = 0
    private(set) var deepest = 0
    private var depth = 0

    func receive(_ head: HTTPRequestHead, on http: HTTPConversation) {
        requests += 1
        depth += 1
        deepest = max(deepest, depth)
        http.answer(Answer(status: 200, json: "{}"))
        depth -= 1
    }

    func refuse(_ refusal: Refusal) -> Answer { Answer(status: 400, json: "{}") }
}

/// Drops what is sent.
private final class Nowhere: HTTPConnection {
    func send(_ bytes: ByteBuffer) {}
    func endOutput() {}
    func close() {}
    func readOn() {}
}
