import NIOCore
import NIOPosix
import Testing

@testable import Gate

@Suite("Bytes that pass unread", .timeLimit(.minutes(30)))
struct UnreadBytesTests {
    /// A gate that reads no frames, and what is behind it.
    private struct Scene {
        let site: ServerSite
        let upstream: RawServer

        /// Both ends of a connection behind its handshakes.
        func open(_ fields: [(String, String)] = []) async throws -> (client: RawClient, service: RawClient) {
            async let opening = site.webSocket("/", fields)
            let end = try await upstream.next()
            try await UpstreamEnd.open(end)
            return (try await opening, end)
        }
    }

    private func scene(on place: RelayPlace, _ changes: [String: String] = [:]) async throws -> Scene {
        let upstream = try await RawServer.start()
        let settings = [
            "REQUIRE_APP_AUTH": "false", "RELAY_MODE": "bytes", "UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)",
        ]
        let site = try await ServerSite(
            settings.merging(changes) { $1 }, without: ["WS_HEARTBEAT_INTERVAL_MS", "WS_HEARTBEAT_TIMEOUT_MS"],
            before: upstream, place: place)
        return Scene(site: site, upstream: upstream)
    }

    private static func bytes(_ count: Int, from seed: Int) -> [UInt8] {
        // Begins anew behind so many; tests are not optimised, and millions by themselves would take seconds.
        let period = (0..<min(count, 1 << 16)).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8) &+ seed) }
        var bytes: [UInt8] = []
        while bytes.count < count { bytes += period.prefix(count - bytes.count) }
        return bytes
    }

    // MARK: Bytes

    @Test("arrive unchanged and in order, both ways at once, whatever their number", arguments: RelayPlace.allCases)
    func sizes(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        for count in [1, 2, 125, 65_535, 65_536, 65_537, 1 << 20, 8 << 20] {
            let (up, down) = (Self.bytes(count, from: count), Self.bytes(count, from: count + 1))
            async let sentUp: Void = client.send(up)
            async let sentDown: Void = service.send(down)
            async let gotUp = service.read(count: count)
            async let gotDown = client.read(count: count)
            #expect(try await gotUp == up)
            #expect(try await gotDown == down)
            _ = try await (sentUp, sentDown)
        }
        let metrics = scene.site.server.gate.metrics
        #expect(metrics.relays.value(.bytes) == 1 && metrics.relays.value(.frames) == 0)
        #expect(metrics.frames.cells.allSatisfy { $0.value == 0 })
    }

    @Test("behind the handshakes come first, from both sides", arguments: RelayPlace.allCases)
    func early(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let client = try await scene.site.connect()
        let handshake = (RawClient.handshake + [("Host", "a")]).map { "\($0): \($1)\r\n" }.joined()
        let (up, down) = (Self.bytes(3_000, from: 1), Self.bytes(3_000, from: 2))
        try await client.send(Array("GET / HTTP/1.1\r\n\(handshake)\r\n".utf8) + up)
        let end = try await scene.upstream.next()
        let key = try #require(try await end.readHead().fields.first { $0.name == "Sec-WebSocket-Key" }?.value)
        try await end.send(UpstreamEnd.answer(to: key) + down)
        #expect(try await client.reply().status == 101)
        try await client.send([7])
        try await end.send([8])
        #expect(try await end.read(count: 3_001) == up + [7])
        #expect(try await client.read(count: 3_001) == down + [8])
    }

    @Test("may break every rule of frames", arguments: RelayPlace.allCases)
    func violations(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        let frames =
            RawClient.frame(0x81, [65], key: nil) + RawClient.frame(0xf3, [1]) + RawClient.frame(0x81, [0xff])
            + [0x82, 0xff] + [UInt8](repeating: 0xff, count: 8)
        try await client.send(frames)
        #expect(try await service.read(count: frames.count) == frames)
        try await service.send(frames)
        #expect(try await client.read(count: frames.count) == frames)
        // A close frame is bytes like others.
        try await client.send(close: 1_000)
        try await client.send([1])
        #expect(try await service.read(count: 9).last == 1)
        withExtendedLifetime(scene) {}
    }

    @Test("wait for a client that does not read, and others are served meanwhile", arguments: RelayPlace.allCases)
    func slowClient(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        try await client.channel.setOption(.autoRead, value: false).get()
        let bytes = Self.bytes(48 << 20, from: 3)
        async let isWritten: Void = service.send(bytes)
        // The other direction goes on.
        try await client.send([1, 2, 3])
        #expect(try await service.read(count: 3) == [1, 2, 3])
        let (other, otherService) = try await scene.open()
        try await other.send([4])
        #expect(try await otherService.read(count: 1) == [4])
        try await client.channel.setOption(.autoRead, value: true).get()
        client.channel.read()
        var received: [UInt8] = []
        while received.count < bytes.count, case .bytes(let more) = await client.receive() { received += more }
        #expect(received == bytes)
        try await isWritten
    }

    // MARK: Ends

    @Test("end with the client, and the other side hears of it", arguments: RelayPlace.allCases)
    func clientCloses(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        try await client.send([1])
        client.close()
        #expect(await service.rest() == [1])
        service.close()
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.metrics.closes.value(.client, nil) == 1)
        #expect(scene.site.server.gate.metrics.upstreamErrors.value(.lost) == 0)
    }

    @Test("end with the service, behind everything that it sent", arguments: RelayPlace.allCases)
    func serviceCloses(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        let bytes = Self.bytes(2 << 20, from: 4)
        async let sent: Void = {
            try await service.send(bytes)
            service.close()
        }()
        #expect(await client.rest() == bytes)
        try await sent
        client.close()
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.metrics.closes.value(.upstream, nil) == 1)
    }

    @Test("a side that has said all still hears the other")
    func halfClose() async throws {
        let scene = try await scene(on: .thread)
        let (client, service) = try await scene.open()
        // At once: the other side has some seconds for it, which may be over before a test gets its next turn.
        try await service.channel.pipeline.addHandler(LastWord([2]), position: .first).get()
        try await client.send([1])
        client.closeOutput()
        #expect(await service.rest() == [1])
        #expect(try await client.read(count: 1) == [2])
        service.closeOutput()
        #expect(await client.rest().isEmpty)
        _ = await scene.site.events.first(.closed)
    }

    @Test(
        "a connection that is reset ends the other", arguments: [CloseSide.client, .upstream],
        [RelayPlace.loop, .thread])
    func reset(_ side: CloseSide, _ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        try await client.send([1])
        #expect(try await service.read(count: 1) == [1])
        let (gone, left) = side == .client ? (client, service) : (service, client)
        let options = try #require(gone.channel as? any SocketOptionProvider)
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        gone.close()
        #expect(await left.rest().isEmpty)
        _ = await scene.site.events.first(.closed)
        let metrics = scene.site.server.gate.metrics
        #expect(metrics.closes.value(side, nil) == 1)
        #expect(metrics.upstreamErrors.value(.lost) == (side == .upstream ? 1 : 0))
    }

    @Test("a side that does not close behind the other is cut after a while", arguments: RelayPlace.allCases)
    func lingering(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let (client, service) = try await scene.open()
        client.close()
        #expect(await service.rest().isEmpty)
        // The service's end stays open.
        _ = await scene.site.events.first(.closed)
        withExtendedLifetime(service) {}
    }

    // MARK: What the gate ends

    @Test("a revoked key loses its connection, without a close frame", arguments: RelayPlace.allCases)
    func revocation(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place, ["REQUIRE_APP_AUTH": "true"])
        let (device, other) = (try await scene.site.registered(), try await scene.site.registered())
        func open(_ device: Device) async throws -> (client: RawClient, service: RawClient) {
            let asking = try await scene.site.connect()
            let nonce = try #require(await asking.request("GET", "/attest/challenge").member("nonce"))
            return try await scene.open(scene.site.assertion(device, counter: 1, nonce: nonce))
        }
        let (client, service) = try await open(device)
        let (stays, staysService) = try await open(other)
        let key = try device.registered().id
        _ = try await scene.site.stores.keys.revoke(key, Revocation(at: ServerSite.now, reason: "test"))
        scene.site.server.closeConnections(of: key, because: .keyRevoked)
        #expect(await client.rest().isEmpty)
        #expect(await service.rest().isEmpty)
        client.close()
        service.close()
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.metrics.closes.value(.gate, nil) == 1)
        try await stays.send([5])
        #expect(try await staysService.read(count: 1) == [5])
    }

    @Test("all connections end when the gate drains, and their leases", arguments: RelayPlace.allCases)
    func drain(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place, ["SHUTDOWN_DEADLINE_MS": "4000"])
        var ends: [(client: RawClient, service: RawClient)] = []
        for _ in 0..<20 { ends.append(try await scene.open()) }
        async let drained: Void = scene.site.server.drain()
        for (client, service) in ends {
            #expect(await client.rest().isEmpty)
            #expect(await service.rest().isEmpty)
            client.close()
            service.close()
        }
        await drained
        #expect(scene.site.server.gate.caps.total == 0)
        #expect(scene.site.events.events.contains { $0.name == .stopped })
    }

    @Test("connections that nobody closes are cut at the drain's deadline", arguments: RelayPlace.allCases)
    func deadline(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place, ["SHUTDOWN_DEADLINE_MS": "100"])
        let (client, service) = try await scene.open()
        await scene.site.server.drain()
        #expect(await client.rest().isEmpty)
        #expect(await service.rest().isEmpty)
        #expect(scene.site.server.gate.caps.total == 0)
    }

    @Test("a connection counts against the limits until it is over", arguments: RelayPlace.allCases)
    func caps(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place, ["MAX_CONNECTIONS": "1", "MAX_CONNECTIONS_PER_IP": "1"])
        let (client, service) = try await scene.open()
        let refused = try await scene.site.connect()
        #expect(try await refused.request("GET", "/", RawClient.handshake).status != 101)
        client.close()
        service.close()
        _ = await scene.site.events.first(.closed)
        let (next, nextService) = try await scene.open()
        try await next.send([1])
        #expect(try await nextService.read(count: 1) == [1])
    }

    @Test("a connection on which nothing moves is closed", arguments: RelayPlace.allCases)
    func idle(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place, ["WS_IDLE_TIMEOUT_MS": "200"])
        let (client, service) = try await scene.open()
        #expect(await client.rest().isEmpty)
        #expect(await service.rest().isEmpty)
        client.close()
        service.close()
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.metrics.closes.value(.gate, nil) == 1)
    }

    @Test("let go of everything, however many come and go", arguments: RelayPlace.allCases)
    func manyConnections(_ place: RelayPlace) async throws {
        let scene = try await scene(on: place)
        let count = 200
        for number in 0..<count {
            let (client, service) = try await scene.open()
            if number % 2 == 0 { client.close() } else { service.close() }
            #expect(await (number % 2 == 0 ? service : client).rest().isEmpty)
        }
        await scene.site.events.count(.closed, count)
        #expect(scene.site.server.connections.count == 0 && scene.site.server.gate.caps.total == 0)
        #expect(scene.site.server.gate.metrics.connections.value(.closing) == 0)
    }

    // MARK: What is said of it

    @Test("are told at the start and in the metrics")
    func isVisible() async throws {
        let scene = try await scene(on: .thread)
        let event = try #require(scene.site.events.events.first { $0.name == .framesUnread })
        #expect(event.level == .warning && event.detail?.description.contains("RELAY_MODE") == true)
        let (client, service) = try await scene.open()
        try await client.send([1, 2, 3])
        #expect(try await service.read(count: 3) == [1, 2, 3])
        #expect(scene.site.server.metrics().contains(#"gate_relays_total{reads="bytes"} 1"#))
        let usual = try await ServerSite()
        #expect(!usual.events.events.contains { $0.name == .framesUnread })
    }
}

/// Says something when the other side has said all.
private final class LastWord: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: bytes)), promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }
}
