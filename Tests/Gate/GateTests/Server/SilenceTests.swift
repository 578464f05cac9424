import NIOCore
import Testing
import WebSocketFrames

@testable import Gate

/// Whose silence it is that the gate hears.
@Suite("Silence of a client", .timeLimit(.minutes(30)))
struct SilenceTests {
    /// Frames of 1 MiB each, masked with zeros, more than two systems hold.
    private static let flood: [UInt8] = {
        let frame = [0x82, 0xff, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 1 << 20)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64 * frame.count)
        for _ in 0..<64 { bytes += frame }
        return bytes
    }()

    @Test(
        "is the upstream's where that takes nothing: the client is told, and not cut",
        arguments: [(RelayPlace.loop, "ws"), (.thread, "ws"), (.encryptedThread, "ws"), (.loop, "tcp")])
    func stalledUpstream(_ place: RelayPlace, _ scheme: String) async throws {
        _ = Self.flood.count
        let upstream = try await RawServer.start()
        let site = try await ServerSite(
            [
                "REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "\(scheme)://127.0.0.1:\(upstream.port)",
                "WS_HEARTBEAT_INTERVAL_MS": "1000", "WS_HEARTBEAT_TIMEOUT_MS": "5000",
            ], before: upstream, place: place)
        async let opening = site.webSocket()
        let service = try await upstream.next()
        if scheme == "ws" { try await UpstreamEnd.open(service) }
        let client = try await opening
        try await service.channel.setOption(.autoRead, value: false).get()
        let sending = Task { try await client.send(Self.flood) }
        #expect(try await client.readMessage().closeCode == 1011)
        client.close()
        _ = try? await sending.value
        _ = await site.events.first(.closed)
        let metrics = site.server.gate.metrics
        #expect(metrics.closes.value(.upstream, scheme == "ws" ? nil : .internalError) == 1)
        #expect(metrics.upstreamErrors.value(.lost) == 1)
    }

    @Test("what a client's messages become waits for the upstream, however small they came")
    func denseMessages() async throws {
        let upstream = try await RawServer.start()
        let site = try await ServerSite(
            [
                "REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "tcp://127.0.0.1:\(upstream.port)", "WS_DEFLATE": "true",
            ], before: upstream)
        async let opening = site.webSocket("/", [("Sec-WebSocket-Extensions", "permessage-deflate")])
        let service = try await upstream.next()
        let client = try await opening
        try await service.channel.setOption(.autoRead, value: false).get()
        // 64 KiB of zeros in less than a hundred bytes; a large message before them makes the gate's reads large.
        let (size, count) = (65_536, 770)
        let payload = try [UInt8](repeating: 0, count: size).withUnsafeBytes {
            try RawDeflater().compress($0, ending: .flushed).dropLast(4)
        }
        let dense = RawClient.frame(0xc2, Array(payload))
        try #require(dense.count < 100)
        let large = RawClient.frame(0x82, [UInt8](repeating: 0, count: 1 << 20))
        let bytes = large + (0..<count).flatMap { _ in dense }
        let sending = Task { try await client.send(bytes) }
        let frames = site.server.gate.metrics.frames
        var taken: UInt64 = 0
        while taken == 0 || taken != frames.value(.toUpstream, .binary) {
            taken = frames.value(.toUpstream, .binary)
            try await Task.sleep(for: .seconds(1))
        }
        // As many as two systems hold, and not all.
        #expect(taken < count)
        try await service.channel.setOption(.autoRead, value: true).get()
        var missing = (1 << 20) + count * size
        while missing > 0, case .bytes(let bytes) = await service.receive() { missing -= bytes.count }
        #expect(missing == 0 && frames.value(.toUpstream, .binary) == count + 1)
        try await sending.value
    }

    private static let settings = GateConfiguration.Heartbeat(
        interval: .seconds(30), timeout: .seconds(90), idle: .zero)
    private static func second(_ number: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(number) }

    @Test("counts from when the client is read again")
    func readAgain() {
        var heartbeat = Heartbeat(Self.settings, now: Self.second(0))
        #expect(heartbeat.action(at: Self.second(90)) == .dead)
        let news = [0, 60, 60].map { heartbeat.noteReading(since: Self.second($0)) }
        #expect(news == [false, true, false])
        #expect(heartbeat.action(at: Self.second(149)) != .dead)
        #expect(heartbeat.action(at: Self.second(150)) == .dead)
    }
}
