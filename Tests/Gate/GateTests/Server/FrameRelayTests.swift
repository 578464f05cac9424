import Foundation
import Testing

@testable import Gate

/// Where the frames of a connection are followed.
@Suite("Frames that pass between two ends", .timeLimit(.minutes(30)))
struct FrameRelayTests {
    /// A gate, what is behind it, and both ends of a connection through it.
    private struct Scene {
        let site: ServerSite
        let client: RawClient
        let service: RawClient

        init(on place: RelayPlace, _ changes: [String: String] = [:]) async throws {
            let upstream = try await RawServer.start()
            let settings = [
                "REQUIRE_APP_AUTH": "false", "UPSTREAM_URL": "ws://127.0.0.1:\(upstream.port)",
            ]
            let site = try await ServerSite(
                settings.merging(changes) { $1 }, before: upstream, place: place)
            async let opening = site.webSocket()
            let service = try await upstream.next()
            try await UpstreamEnd.open(service)
            (self.site, self.service, client) = (site, service, try await opening)
        }
    }

    private static func payload(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 8)) }
    }

    @Test(
        "arrive unchanged and in order, both ways at once, whatever their sizes and however they are cut",
        arguments: RelayPlace.allCases)
    func sizes(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place)
        let counts = [0, 1, 125, 126, 127, 4_000, 65_535, 65_536, 65_537, 1 << 20]
        let up = counts.flatMap { RawClient.frame(0x82, Self.payload($0)) }
        let down = counts.flatMap { RawClient.frame(0x82, Self.payload($0), key: nil) }
        for size in [10_007, 65_536, 1 << 21] {
            async let sentUp: Void = Self.send(up, to: scene.client, inPieces: size)
            async let sentDown: Void = Self.send(down, to: scene.service, inPieces: size)
            async let gotUp = scene.service.read(count: up.count)
            async let gotDown = scene.client.read(count: down.count)
            #expect(try await gotUp == up)
            #expect(try await gotDown == down)
            _ = try await (sentUp, sentDown)
        }
        let metrics = scene.site.server.gate.metrics
        #expect(metrics.relays.value(.frames) == 1 && metrics.relays.value(.bytes) == 0)
        #expect(metrics.frames.value(.toClient, .binary) == 3 * counts.count)
        #expect(metrics.bytes.value(.toUpstream) == 3 * up.count)
    }

    private static func send(_ bytes: [UInt8], to end: RawClient, inPieces size: Int) async throws {
        for start in stride(from: 0, to: bytes.count, by: size) {
            try await end.send(Array(bytes[start..<min(start + size, bytes.count)]))
        }
    }

    @Test(
        "let the gate's pings in between, although all that comes at once ends inside of one",
        arguments: RelayPlace.allCases)
    func pingInBetween(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place, ["WS_HEARTBEAT_INTERVAL_MS": "20"])
        let frame = RawClient.frame(0x82, Self.payload(1_000), key: nil)
        try await scene.service.send(Array(frame[..<500]))
        var opcodes: [UInt8] = []
        let patience = ContinuousClock.now + .seconds(60)
        while !opcodes.contains(9), .now < patience {
            try await scene.service.send(Array(frame[500...] + frame[..<500]))
            opcodes.append(try await scene.client.readFrame().opcode)
        }
        #expect(opcodes.last == 9)
    }

    @Test("are followed by a close frame at a drain, although they never pause", arguments: RelayPlace.allCases)
    func closeInBetween(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place, ["DRAIN_CLOSE_CODE": "3000", "SHUTDOWN_DEADLINE_MS": "60000"])
        let frame = RawClient.frame(0x82, Self.payload(1_000), key: nil)
        try await scene.service.send(Array(frame[..<500]))
        async let drained: Void = scene.site.server.drain()
        var close: Int?
        let patience = ContinuousClock.now + .seconds(50)
        while close == nil, .now < patience {
            try await scene.service.send(Array(frame[500...] + frame[..<500]))
            close = try await scene.client.readFrame().closeCode
        }
        #expect(close == 3_000)
        try await scene.client.send(close: 3_000)
        scene.service.close()
        await drained
    }
}
