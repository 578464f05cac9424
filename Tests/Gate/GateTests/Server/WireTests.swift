import Testing

@testable import Gate

@Suite("What the gate's listener takes for a request", .timeLimit(.minutes(30)))
struct WireTests {
    @Test(
        "bytes that two servers may read differently are refused, and the connection closed",
        arguments: [
            "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\n folded: b\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\nX: b\n\r\n", "GET /healthz HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\nX: b\u{0}c\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\nX\u{e9}: b\r\n\r\n",
            "GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /healthz HTTP/1.1 \r\nHost: a\r\n\r\n", "GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n",
            "GET /healthz\r\n\r\n", "GET http://a/healthz HTTP/1.1\r\nHost: a\r\n\r\n", "\r\n\r\n\r\n",
            "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n{",
            "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n{",
            "POST /attest/register HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
            "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1;x=y\r\n{\r\n0\r\n\r\n",
        ], RelayPlace.allCases)
    func refused(_ request: String, _ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let client = try await site.connect()
        try await client.send(request)
        let reply = try await client.reply()
        #expect(reply.status == 400)
        #expect(reply.values("Connection") == ["close"])
        #expect(await client.rest().isEmpty)
    }

    @Test(
        "a head is read whatever pieces it comes in, and requests may follow each other at once",
        arguments: RelayPlace.allCases)
    func pieces(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let client = try await site.connect()
        let request = "GET /healthz HTTP/1.1\r\nHost: gate.test\r\n\r\n"
        for byte in request.utf8 { try await client.send([byte]) }
        #expect(try await client.reply().text == #"{"status":"ok"}"#)
        try await client.send(request + "\r\n" + request + request)
        for _ in 0..<3 { #expect(try await client.reply().status == 200) }
    }

    @Test(
        "what comes while a request is being answered waits for its turn, however much it is",
        arguments: RelayPlace.allCases)
    func waiting(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let client = try await site.connect()
        // The first of each pair is answered in a later turn of the event loop; the second is more than one read of it.
        let slow = "GET /attest/challenge HTTP/1.1\r\nHost: gate.test\r\n\r\n"
        let long = "GET /healthz HTTP/1.1\r\nHost: gate.test\r\nX: \(String(repeating: "x", count: 8_000))\r\n\r\n"
        for _ in 0..<5 {
            try await client.send(slow)
            try await client.send(long)
        }
        for _ in 0..<5 {
            #expect(try await client.reply().member("nonce") != nil)
            #expect(try await client.reply().text == #"{"status":"ok"}"#)
        }
    }

    @Test(
        "a body comes counted or in chunks, in any pieces, and the connection goes on behind it",
        arguments: RelayPlace.allCases)
    func bodies(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let client = try await site.connect()
        let head = "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        for rest in ["Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n01\r\n}\r\n0\r\n\r\n"]
        {
            for byte in (head + rest).utf8 { try await client.send([byte]) }
            #expect(try await client.reply().code == "missing_field")
        }
        try await client.send(head + "Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try await client.reply().status == 100)
        try await client.send("{}")
        #expect(try await client.reply().code == "missing_field")
    }

    @Test("a hundred requests may come on a connection, no more", arguments: RelayPlace.allCases)
    func requestLimit(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let client = try await site.connect()
        for number in 1...100 {
            let reply = try await client.request("GET", "/healthz")
            #expect(reply.values("Connection") == [number == 100 ? "close" : "keep-alive"])
        }
        #expect(await client.rest().isEmpty)
    }

    @Test("too many fields, too long a field, and too long a target are too large", arguments: RelayPlace.allCases)
    func sizes(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place)
        let many = (0...100).map { ("X-\($0)", "a") }
        #expect(try await site.request("GET", "/healthz", many).status == 431)
        #expect(try await site.request("GET", "/healthz", [("X", String(repeating: "a", count: 8_704))]).status == 431)
        #expect(try await site.request("GET", "/" + String(repeating: "a", count: 4_096)).status == 431)
    }

    @Test(
        "a head that does not end in time is answered 408, or with nothing if nothing of it came",
        arguments: RelayPlace.allCases)
    func slowloris(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place, ["HEADER_TIMEOUT_MS": "500"])
        let slow = try await site.connect()
        // On a busy machine the time may be over before the bytes are there.
        try? await slow.send("GET / HTTP/1.1\r\nX: ")
        let answer = String(decoding: await slow.rest(), as: UTF8.self)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 408 "))
        #expect(await (try site.connect()).rest().isEmpty)
    }

    @Test("a body that does not end in time is answered 408", arguments: RelayPlace.allCases)
    func slowBody(_ place: RelayPlace) async throws {
        let site = try await ServerSite(on: place, ["BODY_TIMEOUT_MS": "200"])
        let client = try await site.connect()
        try await client.send(
            "POST /attest/register HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{")
        #expect(try await client.reply().status == 408)
        #expect(await client.rest().isEmpty)
    }

    @Test("a trusted proxy has to say whose connection it is, and nobody else may", arguments: RelayPlace.allCases)
    func preamble(_ place: RelayPlace) async throws {
        let trusting = ["PROXY_PROTOCOL": "any", "TRUSTED_PROXY_CIDRS": "127.0.0.0/8", "REQUIRE_APP_AUTH": "false"]
        let upstream = try await RawServer.start()
        let site = try await ServerSite(
            on: place, trusting.merging(["UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)"]) { $1 })
        // The gate waits three seconds for it, which may be over before a test gets its next turn.
        let line = Array("PROXY TCP4 192.0.2.7 192.0.2.1 5000 443\r\n".utf8)
        let client = try await site.connect(preamble: line)
        async let reply = client.request("GET", "/", RawClient.handshake)
        let end = try await upstream.next()
        let head = try await end.readHead()
        #expect(head.fields.first { $0.name == "X-Forwarded-For" }?.value == "192.0.2.7")
        end.close()
        _ = try await reply
        let silent = try await RawClient.connect(
            port: site.port, preamble: Array("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        #expect(await silent.rest().isEmpty)
        let strict = try await ServerSite(on: place, ["PROXY_PROTOCOL": "any", "TRUSTED_PROXY_CIDRS": "192.0.2.0/24"])
        let liar = try await strict.connect(preamble: line)
        #expect(await liar.rest().isEmpty)
        if place == .encryptedThread {
            // The greeting of TLS comes first.
            return #expect(try await strict.request("GET", "/healthz").status == 200)
        }
        let honest = try await RawClient.connect(
            port: strict.port, preamble: Array("GET /healthz HTTP/1.1\r\nHost: gate.test\r\n\r\n".utf8))
        #expect(try await honest.reply().status == 200)
    }
}
