import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Gate

@Suite("Connections through the gate", .timeLimit(.minutes(30)))
struct ConnectionTests {
    private static let open = ["REQUIRE_APP_AUTH": "false"]

    /// A gate in front of another, which echoes.
    private static func chain(on place: RelayPlace, _ changes: [String: String] = [:]) async throws -> ServerSite {
        let back = try await ServerSite(open)
        return try await site(before: back.port, changes, on: place, keeping: back)
    }

    /// A gate in front of what listens on a port.
    private static func site(
        before port: Int, _ changes: [String: String] = [:], on place: RelayPlace, keeping upstream: any Sendable
    ) async throws -> ServerSite {
        let settings = open.merging(["UPSTREAM_URL": "ws://127.0.0.1:\(port)"]) { $1 }
        return try await ServerSite(
            settings.merging(changes) { $1 }, before: upstream, place: place)
    }

    @Test("a device registers, connects, is answered, and closes")
    func wholeWay() async throws {
        let site = try await ServerSite()
        let device = Device()
        #expect(try await site.register(device).status == 200)
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await client.send(text: "hello")
        #expect(try await client.readMessage().payload == Array("hello".utf8))
        try await client.send(close: 1000)
        #expect(try await client.readMessage().closeCode == 1000)
        #expect(await client.rest().isEmpty)
    }

    @Test("one assertion opens one connection, however many ask at once")
    func race() async throws {
        let site = try await ServerSite(["EVENT_LOOPS": "2"])
        let fields = try await site.assertion(site.registered(), counter: 1)
        let statuses = try await withThrowingTaskGroup(of: (Int, RawClient).self) { group in
            for _ in 0..<16 {
                group.addTask {
                    let client = try await site.connect()
                    return (try await client.request("GET", "/", RawClient.handshake + fields).status, client)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0.0 == 101 } == 1)
        #expect(statuses.count { $0.0 == 401 } == 15)
    }

    @Test(
        "frames pass through to a WebSocket upstream and back, what was sent behind the handshake too",
        arguments: RelayPlace.allCases)
    func relay(_ place: RelayPlace) async throws {
        let front = try await Self.chain(on: place)
        let client = try await front.connect()
        let handshake = (RawClient.handshake + [("Host", "a")]).map { "\($0): \($1)\r\n" }.joined()
        try await client.send(Array("GET / HTTP/1.1\r\n\(handshake)\r\n".utf8) + RawClient.frame(0x82, [1, 2, 3]))
        let reply = try await client.reply()
        try #require(reply.status == 101)
        #expect(reply.values("Sec-WebSocket-Accept") == [RawClient.accept])
        #expect(try await client.readMessage() == Frame(first: 0x82, isMasked: false, payload: [1, 2, 3]))
        let large = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try await client.send(RawClient.frame(0x82, large))
        #expect(try await client.readMessage().payload == large)
        try await client.send(RawClient.frame(0x89, Array("ping".utf8)))
        #expect(try await client.readMessage() == Frame(first: 0x8a, isMasked: false, payload: Array("ping".utf8)))
        try await client.send(close: 4_001)
        #expect(try await client.readMessage().closeCode == 4_001)
        #expect(await client.rest().isEmpty)
    }

    @Test("the upstream is told who comes, and nothing that the client says of itself", arguments: RelayPlace.allCases)
    func headers(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await ServerSite(on: place, ["UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)"])
        let device = try await site.registered()
        let fields =
            try await site.assertion(device, counter: 3) + [
                ("X-Gate-Auth", "mtls"), ("X-Forwarded-For", "192.0.2.1"), ("X-App-Assert-ClientHash", "x"),
                ("Sec-WebSocket-Protocol", "chat, talk"), ("Cookie", "a=b"),
            ]
        async let client = site.webSocket("/room?x=1", fields)
        let end = try await upstream.next()
        let (start, received) = try await end.readHead()
        func values(_ name: String) -> [String] { received.filter { $0.name == name }.map(\.value) }
        #expect(start == "GET /room?x=1 HTTP/1.1")
        #expect(values("Host") == ["127.0.0.1:\(upstream.port)"])
        #expect(values("X-Gate-Auth") == ["app-attest"])
        #expect(values("X-Gate-Sign-Count") == ["3"])
        #expect(values("X-Forwarded-For") == ["127.0.0.1"])
        #expect(values("Sec-WebSocket-Protocol") == ["chat, talk"])
        #expect(values("Cookie") == ["a=b"])
        #expect(!received.contains { $0.name.lowercased().hasPrefix("x-app-assert") })
        let key = try #require(values("Sec-WebSocket-Key").first)
        try await end.send(
            UpstreamEnd.answer(to: key, ["Sec-WebSocket-Protocol: talk", "X-Own: 1"])
                + RawClient.frame(0x81, [65], key: nil))
        let opened = try await client
        #expect(try await opened.readMessage().payload == [65])
        // What the gate writes of its own to the upstream is masked.
        end.close()
        #expect(try await opened.readMessage().closeCode == 1011)
    }

    @Test(
        "an upstream whose handshake does not fit is refused",
        arguments: [
            ["Sec-WebSocket-Protocol: other"], ["Sec-WebSocket-Extensions: permessage-deflate"],
            ["Sec-WebSocket-Accept: AAAA"],
        ], RelayPlace.allCases)
    func badUpstream(_ lines: [String], _ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        async let reply = site.request("GET", "/", RawClient.handshake)
        let end = try await upstream.next()
        let key = try #require(try await end.readHead().fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        try await end.send(UpstreamEnd.answer(to: key, lines))
        #expect(try await reply.code == "upstream_refused")
    }

    @Test("an upstream that does not answer in time is given up", arguments: RelayPlace.allCases)
    func silentUpstream(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(
            before: upstream.port, ["UPSTREAM_CONNECT_TIMEOUT_MS": "200"], on: place, keeping: upstream)
        let code = try await site.request("GET", "/", RawClient.handshake).code
        #expect(code == "upstream_timeout")
    }

    @Test(
        "an upstream that goes before it has answered is told, and the client may ask again on its connection",
        arguments: RelayPlace.allCases)
    func lostUpstream(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        let client = try await site.connect()
        for _ in 0..<3 {
            async let reply = client.request("GET", "/", RawClient.handshake)
            let end = try await upstream.next()
            _ = try await end.readHead()
            end.close()
            #expect(try await reply.code == "upstream_refused")
        }
        async let reply = client.request("GET", "/", RawClient.handshake)
        let end = try await upstream.next()
        let key = try #require(try await end.readHead().fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        try await end.send(UpstreamEnd.answer(to: key))
        #expect(try await reply.status == 101)
    }

    @Test(
        "an upstream that is not there is told each time, and that costs no descriptor", arguments: RelayPlace.allCases)
    func noUpstream(_ place: RelayPlace) async throws {
        let site = try await ServerSite(
            on: place, Self.open.merging(["UPSTREAM_URL": "ws://127.0.0.1:1"]) { $1 })
        let client = try await site.connect()
        for _ in 0..<20 {
            #expect(try await client.request("GET", "/", RawClient.handshake).code == "upstream_unreachable")
        }
        #expect(try await client.request("GET", "/healthz").status == 200)
        #expect(site.server.gate.metrics.connections.value(.open) == 0)
    }

    @Test("an upstream may be given by its name, which has to be found", arguments: RelayPlace.allCases)
    func namedUpstream(_ place: RelayPlace) async throws {
        let back = try await ServerSite(Self.open)
        let front = try await Self.site(
            before: back.port, ["UPSTREAM_URL": "ws://localhost:\(back.port)"], on: place, keeping: back)
        let client = try await front.webSocket("/")
        try await client.send(text: "hello")
        #expect(try await client.readMessage().payload == Array("hello".utf8))
        let lost = try await ServerSite(
            on: place, Self.open.merging(["UPSTREAM_URL": "ws://nobody.invalid:1"]) { $1 })
        #expect(try await lost.request("GET", "/", RawClient.handshake).code == "upstream_unreachable")
    }

    @Test("the log says in words why an upstream cannot be reached", arguments: RelayPlace.allCases)
    func whyUnreachable(_ place: RelayPlace) async throws {
        for (url, words) in [
            ("ws://127.0.0.1:1", "Connection refused"), ("ws://localhost:1", "Connection refused"),
            ("tcp://localhost:1", "Connection refused"), ("ws://nobody.invalid:1", "its name was not found: "),
            ("unix:/nowhere/app.sock", "No such file or directory"),
        ] {
            let site = try await ServerSite(on: place, Self.open.merging(["UPSTREAM_URL": url]) { $1 })
            #expect(try await site.request("GET", "/", RawClient.handshake).code == "upstream_unreachable")
            let text = await site.events.first(.upstreamFailed).detail?.description ?? ""
            #expect(text.hasPrefix("unreachable: " + words) && !text.contains("Error"), "\(url): \(text)")
        }
    }

    @Test("a client that goes while its upstream is dialled leaves nothing behind", arguments: RelayPlace.allCases)
    func impatient(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        let client = try await site.connect()
        try await client.send(
            "GET / HTTP/1.1\r\nHost: a\r\n" + RawClient.handshake.map { "\($0): \($1)\r\n" }.joined() + "\r\n")
        let end = try await upstream.next()
        let key = try #require(try await end.readHead().fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        client.close()
        while site.server.gate.metrics.connections.value(.waiting) > 0 { await Task.yield() }
        try await end.send(UpstreamEnd.answer(to: key))
        #expect(await end.rest().isEmpty)
        while site.server.gate.metrics.connections.value(.connecting) > 0 { await Task.yield() }
        #expect(site.server.gate.metrics.connections.value(.open) == 0)
    }

    @Test("connections are served on several threads at once")
    func severalThreads() async throws {
        let front = try await Self.chain(on: .thread, ["EVENT_LOOPS": "3", "SHUTDOWN_DEADLINE_MS": "10000"])
        let clients = try await withThrowingTaskGroup(of: RawClient.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let client = try await front.webSocket("/")
                    try await client.send(text: "hello \(number)")
                    #expect(try await client.readMessage().payload == Array("hello \(number)".utf8))
                    return client
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(front.server.gate.metrics.connections.value(.open) == 24)
        async let drained: Void = front.server.drain()
        for client in clients {
            let code = try #require(try await client.readMessage().closeCode)
            try await client.send(close: code)
        }
        await drained
        #expect(front.server.gate.metrics.connections.value(.open) == 0)
    }

    @Test("a client that breaks a rule is told which, and the upstream that it is gone", arguments: RelayPlace.allCases)
    func violation(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        async let opening = site.webSocket()
        let end = try await upstream.next()
        try await UpstreamEnd.open(end)
        let client = try await opening
        try await client.send(RawClient.frame(0x81, [65], key: nil))
        let close = try await client.readMessage()
        #expect(close.closeCode == 1002)
        #expect(close.closeReason == "not_masked")
        let told = try await end.readFrame()
        #expect(told.isMasked)
        #expect(told.closeCode == 1001)
    }

    @Test("a client that goes without a word leaves 1001 behind", arguments: RelayPlace.allCases)
    func lostClient(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        async let opening = site.webSocket()
        let end = try await upstream.next()
        try await UpstreamEnd.open(end)
        try await opening.close()
        #expect(try await end.readFrame().closeCode == 1001)
    }

    @Test(
        "a client that reads nothing holds its upstream up, and the gate keeps little",
        arguments: RelayPlace.allCases)
    func slowClient(_ place: RelayPlace) async throws {
        let upstream = try await RawServer.start()
        let site = try await Self.site(before: upstream.port, on: place, keeping: upstream)
        async let opening = site.webSocket(reads: false)
        let end = try await upstream.next()
        try await UpstreamEnd.open(end)
        let client = try await opening
        // More than the buffers of two sockets hold: the write ends only when the client reads.
        let frame = RawClient.frame(0x82, [UInt8](repeating: 7, count: 1 << 20), key: nil)
        let frames = (0..<64).reduce(into: [UInt8]()) { bytes, _ in bytes += frame }
        async let isWritten: Void = end.send(frames)
        // The gate answers others meanwhile.
        #expect(try await site.request("GET", "/healthz").status == 200)
        try await client.channel.setOption(.autoRead, value: true).get()
        client.channel.read()
        for _ in 0..<64 { #expect(try await client.readMessage().payload.count == 1 << 20) }
        try await isWritten
    }

    @Test("silence ends a connection: the gate asks, and then cuts", arguments: RelayPlace.allCases)
    func heartbeat(_ place: RelayPlace) async throws {
        let front = try await Self.chain(
            on: place, ["WS_HEARTBEAT_INTERVAL_MS": "50", "WS_HEARTBEAT_TIMEOUT_MS": "10000"])
        let client = try await front.webSocket()
        let ping = try await client.readFrame()
        #expect(ping.opcode == 9)
        #expect(ping.payload.count == 8)
        while case .bytes = await client.receive() {}
    }

    @Test("a connection on which nobody says anything is closed", arguments: RelayPlace.allCases)
    func idle(_ place: RelayPlace) async throws {
        let front = try await Self.chain(on: place, ["WS_IDLE_TIMEOUT_MS": "200"])
        let close = try await front.webSocket().readMessage()
        #expect(close.closeCode == 1001)
        #expect(close.closeReason == "idle")
    }

    @Test("bytes of a TCP upstream become messages, and messages its bytes")
    func tcp() async throws {
        let upstream = try await RawServer.start()
        let site = try await ServerSite(Self.open.merging(["UPSTREAM_URL": "tcp://127.0.0.1:\(upstream.port)"]) { $1 })
        let client = try await site.webSocket()
        let end = try await upstream.next()
        try await client.send(RawClient.frame(0x82, [1, 2, 255]))
        #expect(try await end.read(count: 3) == [1, 2, 255])
        try await end.send([9, 8])
        #expect(try await client.readMessage() == Frame(first: 0x82, isMasked: false, payload: [9, 8]))
        end.closeOutput()
        #expect(try await client.readMessage().closeCode == 1000)
    }

    @Test("telnet is spoken with a telnet upstream, and its events are told")
    func telnet() async throws {
        let upstream = try await RawServer.start()
        let site = try await ServerSite(
            Self.open.merging([
                "UPSTREAM_URL": "telnet://127.0.0.1:\(upstream.port)", "CLIENT_FRAMING": "json",
            ]) { $1 })
        let client = try await site.webSocket()
        let end = try await upstream.next()
        // WILL ECHO is answered DO ECHO.
        try await end.send([255, 251, 1])
        #expect(try await end.read(count: 3) == [255, 253, 1])
        #expect(String(decoding: try await client.readMessage().payload, as: UTF8.self).contains(#""type":"echo""#))
        try await client.send(text: #"{"type":"input","text":"look\n"}"#)
        #expect(try await end.read(count: 6) == Array("look\r\n".utf8))
        try await client.send(text: #"{"type":"disconnect"}"#)
        #expect(try await client.readMessage().closeCode == 1000)
        #expect(await end.rest().isEmpty)
    }

    @Test("messages beyond the rate wait, and none is lost", arguments: RelayPlace.allCases)
    func messageRate(_ place: RelayPlace) async throws {
        let front = try await Self.chain(on: place, ["MAX_MESSAGES_PER_SECOND": "20"])
        let client = try await front.webSocket()
        for number in 0..<30 { try await client.send(text: "\(number)") }
        for number in 0..<30 { #expect(try await client.readMessage().payload == Array("\(number)".utf8)) }
    }

    @Test("a flood that comes in one piece is closed", arguments: RelayPlace.allCases)
    func messageFlood(_ place: RelayPlace) async throws {
        let front = try await Self.chain(on: place, ["MAX_MESSAGES_PER_SECOND": "10"])
        let client = try await front.webSocket()
        let flood = (0..<9_000).flatMap { _ in RawClient.frame(0x82, [1]) }
        async let sending: Void = client.send(flood)
        var frame = try await client.readMessage()
        var passed = 0
        while frame.closeCode == nil {
            passed += 1
            frame = try await client.readMessage()
        }
        #expect(frame.closeCode == 1_008 && frame.closeReason == "message_rate")
        // What came in a piece of its own before may have; the flood has not.
        #expect(passed < 1_000)
        client.close()
        _ = try? await sending
    }

    @Test(
        "every connection is closed when the gate drains, whatever it carries, and its lease ends",
        arguments: RelayPlace.allCases)
    func drain(_ place: RelayPlace) async throws {
        let reserved = try ReservedPort()
        let front = try await Self.chain(
            on: place,
            ["DRAIN_CLOSE_CODE": "3000", "SHUTDOWN_DEADLINE_MS": "20000", "WS_PORT": "\(reserved.number)"])
        var clients: [RawClient] = []
        for _ in 0..<50 { clients.append(try await front.webSocket()) }
        async let drained: Void = front.server.drain()
        // Each answers at once, whenever its turn comes. On a busy machine that may be too late, and it is cut.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask {
                    let frame = try await client.readMessage()
                    #expect(frame.closeCode == 3_000)
                    try? await client.send(close: 3_000)
                }
            }
            try await group.waitForAll()
        }
        await drained
        for client in clients { #expect(await client.rest().isEmpty) }
        #expect(front.server.gate.caps.total == 0)
        #expect(front.events.events.contains { $0.name == .stopped })
        // A process that another test is starting has a copy of the listener until it executes its program.
        _ = try await eventually { (try? await front.connect()) == nil ? true : nil }
    }

    @Test("a server that was never used drains as well")
    func idleDrain() async throws {
        let site = try await ServerSite()
        await site.server.drain()
        await site.server.drain()
        #expect(site.events.events.last?.name == .stopped)
    }
}

/// The server's half of a handshake.
enum UpstreamEnd {
    static func answer(to key: String, _ lines: [String] = []) -> [UInt8] {
        var head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade"]
        if !lines.contains(where: { $0.hasPrefix("Sec-WebSocket-Accept") }) {
            head.append("Sec-WebSocket-Accept: \(accept(key))")
        }
        return Array(((head + lines).joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    static func open(_ end: RawClient) async throws {
        let fields = try await end.readHead().fields
        let key = try #require(fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        try await end.send(answer(to: key))
    }
}
