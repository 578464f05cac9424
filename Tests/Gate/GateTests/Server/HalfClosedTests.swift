import Testing

@Suite("Clients that say that they will say no more", .timeLimit(.minutes(30)))
struct HalfClosedTests {
    private static let post = "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"

    @Test(
        "are let go of, wherever they were",
        arguments: [
            "", "GET /", "GET / HTTP/1.1\r\nHost: a\r\n", post + "Content-Length: 9\r\n\r\n{",
            post + "Transfer-Encoding: chunked\r\n\r\n9\r\n{", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
        ])
    func requests(_ bytes: String) async throws {
        let site = try await ServerSite()
        let client = try await site.connect()
        if !bytes.isEmpty { try await client.send(bytes) }
        client.closeOutput()
        _ = await client.rest()
    }

    @Test("take their service with them", arguments: ["ws", "tcp"])
    func connections(_ scheme: String) async throws {
        let upstream = try await RawServer.start()
        let site = try await ServerSite([
            "REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "\(scheme)://127.0.0.1:\(upstream.port)",
        ])
        async let opening = site.webSocket()
        let end = try await upstream.next()
        if scheme == "ws" { try await UpstreamEnd.open(end) }
        let client = try await opening
        client.closeOutput()
        _ = await client.rest()
        if scheme == "ws" {
            #expect(try await end.readFrame().closeCode == 1001)
            end.close()
        } else {
            #expect(await end.rest().isEmpty)
        }
    }
}
