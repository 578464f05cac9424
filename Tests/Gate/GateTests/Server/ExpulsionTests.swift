import AppAttest
import Testing

@testable import Gate

/// What is left to a client whose key is revoked while it is connected, and which does nothing of what it is told.
@Suite("Connections of keys that get in no more", .timeLimit(.minutes(30)))
struct ExpulsionTests {
    /// A gate, what is behind it, and both ends of a connection of a device's.
    private struct Scene {
        let site: ServerSite
        let device: Device
        let client: RawClient
        let service: RawClient

        /// - Parameter scheme: `ws`, or that of a stream.
        init(on place: RelayPlace, _ scheme: String = "ws", _ changes: [String: String] = [:]) async throws {
            let upstream = try await RawServer.start()
            let settings = ["UPSTREAM_URL": "\(scheme)://127.0.0.1:\(upstream.port)"]
            let site = try await ServerSite(settings.merging(changes) { $1 }, before: upstream, place: place)
            let device = try await site.registered()
            async let opening = site.webSocket("/", site.assertion(device, counter: 1))
            let service = try await upstream.next()
            if scheme == "ws" { try await UpstreamEnd.open(service) }
            (self.site, self.device, self.service, client) = (site, device, service, try await opening)
        }

        func revoke() throws { try site.expel(device) }
    }

    private static let patience = Duration.seconds(60)
    private static let message = RawClient.frame(0x82, [UInt8](repeating: 7, count: 100))
    private static let half = message.count / 2

    @Test("a message that was half sent never reaches the service", arguments: RelayPlace.allCases)
    func halfSent(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place)
        try await scene.client.send(Array(Self.message[..<Self.half]))
        let first = try await scene.service.read(count: Self.half)
        #expect(first == Array(Self.message[..<Self.half]))
        try scene.revoke()
        #expect(try await scene.client.readMessage().closeCode == 1008)
        // The gate may have gone already.
        try? await scene.client.send(Array(Self.message[Self.half...]) + Self.message)
        #expect(await scene.service.rest(within: Self.patience) == [])
        #expect(await scene.client.rest(within: Self.patience) == [])
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.metrics.closes.value(.gate, .policyViolation) == 1)
        #expect(scene.site.server.gate.metrics.upstreamErrors.value(.lost) == 0)
    }

    @Test("both ends are cut, although neither answers a close frame", arguments: RelayPlace.allCases)
    func unanswered(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place)
        try await scene.client.send(Self.message)
        #expect(try await scene.service.readMessage().payload.count == 100)
        try scene.revoke()
        #expect(try await scene.client.readMessage().closeCode == 1008)
        try await scene.client.send(Self.message)
        #expect(try await scene.service.readMessage().closeCode == 1001)
        #expect(await scene.client.rest(within: Self.patience) == [])
        #expect(await scene.service.rest(within: Self.patience) == [])
        _ = await scene.site.events.first(.closed)
        #expect(scene.site.server.gate.caps.total == 0)
    }

    @Test("also while the gate drains, which leaves them more time", arguments: RelayPlace.allCases)
    func draining(_ place: RelayPlace) async throws {
        let scene = try await Scene(on: place, "ws", ["SHUTDOWN_DEADLINE_MS": "3000000"])
        try await scene.client.send(Array(Self.message[..<Self.half]))
        _ = try await scene.service.read(count: Self.half)
        let drained = Task { await scene.site.server.drain() }
        #expect(try await scene.client.readMessage().closeCode == 1001)
        let key = try scene.device.registered().id
        #expect(scene.site.server.connections.keys == [key])
        try scene.revoke()
        #expect(scene.site.server.connections.keys.isEmpty)
        // Nothing tells the client, which has its close frame already: the rest would be sent too early.
        #expect(await scene.service.rest(within: Self.patience) == [])
        #expect(await scene.client.rest(within: Self.patience) == [])
        await drained.value
    }

    @Test("a stream gets nothing more, and the client is cut")
    func stream() async throws {
        let scene = try await Scene(on: .loop, "tcp")
        try await scene.client.send(Self.message + Self.message[..<Self.half])
        _ = try await scene.service.read(count: 100)
        try scene.revoke()
        #expect(try await scene.client.readMessage().closeCode == 1008)
        try await scene.client.send(Array(Self.message[Self.half...]))
        #expect(await scene.service.rest(within: Self.patience) == [])
        #expect(await scene.client.rest(within: Self.patience) == [])
        _ = await scene.site.events.first(.closed)
    }

    @Test("a key in use is no idle one: a table that is full loses another for a new one")
    func fullTable() async throws {
        let keys = MemoryKeyStore(maximumKeys: 2)
        let site = try await ServerSite(stores: Stores(keys: keys, nonces: MemoryNonceStore()))
        let device = try await site.registered()
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        // Another one that has signed since, and is gone.
        let idle = try await site.registered()
        let id = try idle.registered().id
        #expect(keys.advance(id, to: 1, facts: .init(), now: ServerSite.now) == .advanced)
        #expect(try await site.register(Device()).status == 200)
        #expect(keys.key(id) == nil)
        #expect(try keys.key(device.registered().id) != nil)
        #expect(await site.server.gate.withdrawn(of: Array(site.server.connections.keys)) == [])
        try await client.send(text: "still in")
        #expect(try await client.readMessage().payload == Array("still in".utf8))
    }

    @Test("an echo is silent, and the client is cut")
    func echo() async throws {
        let site = try await ServerSite()
        let device = try await site.registered()
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await client.send(Self.message + Self.message[..<Self.half])
        #expect(try await client.readMessage().payload.count == 100)
        try site.expel(device)
        #expect(try await client.readMessage().closeCode == 1008)
        try await client.send(Array(Self.message[Self.half...]))
        #expect(await client.rest(within: Self.patience) == [])
        _ = await site.events.first(.closed)
    }
}

extension ServerSite {
    /// Ends the connections of a device as an operator's revocation does.
    fileprivate func expel(_ device: Device) throws {
        server.closeConnections(of: try device.registered().id, because: .keyRevoked)
    }
}
