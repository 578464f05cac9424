import AppAttest
import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import Gate

@Suite("Many behind one address", .timeLimit(.minutes(30)))
struct NeighbourTests {
    @Test("whoever spends all that an address has does not keep a registered device behind it out")
    func flood() async throws {
        let site = try await ServerSite(
            [
                "CHALLENGE_RATE": "5/600s", "REGISTER_RATE": "2/600s", "FAILED_AUTH_RATE": "2/600s",
                "MAX_CONNECTIONS_PER_IP": "2", "MAX_CONNECTIONS_PER_KEY": "2", "MAX_WAITING_CONNECTIONS_PER_IP": "16",
            ], clock: StillClock())
        let (device, neighbour) = (try await site.registered(), try await site.registered())
        var open: [RawClient] = []
        for counter in UInt32(1)...2 {
            open.append(try await site.webSocket("/", site.assertion(neighbour, counter: counter)))
        }
        for _ in 0..<4 { _ = try await site.request("GET", "/attest/challenge") }
        for _ in 0..<4 {
            _ = try await site.request("POST", "/attest/register", [("Content-Type", "application/json")])
        }
        let forged = [
            ("X-App-Assert-KeyId", Data(device.keyName).base64EncodedString()), ("X-App-Assert-Data", "AAAA"),
            ("X-App-Assert-Nonce", String(repeating: "0", count: 64)),
        ]
        for _ in 0..<4 { _ = try await site.request("GET", "/", RawClient.handshake + forged) }
        var silent: [RawClient] = []
        for _ in 0..<24 { silent.append(try await site.connect()) }

        #expect(try await site.request("GET", "/attest/challenge").status == 429)
        #expect(try await site.request("POST", "/attest/register").status == 429)
        #expect(try await site.request("GET", "/", RawClient.handshake + forged).status == 429)
        for stranger in [Device(), Device()] {
            #expect(try await challenge(site, naming: stranger).status == 429)
        }
        let nonce = try #require(await challenge(site, naming: device).member("nonce"))
        let client = try await site.webSocket("/", site.assertion(device, counter: 1, nonce: nonce))
        try await client.send(text: "let in")
        #expect(try await client.readMessage().payload == Array("let in".utf8))
        let metrics = site.server.gate.metrics
        #expect(metrics.keyShares.value(.challenge) == 1 && metrics.keyShares.value(.connectionsPerClient) == 1)
        withExtendedLifetime((open, silent)) {}
    }

    private func challenge(_ site: ServerSite, naming device: Device) async throws -> Reply {
        let name = Data(device.keyName).base64EncodedString()
        return try await site.request("GET", "/attest/challenge", [("X-App-Assert-KeyId", name)])
    }

    @Test("who floods from one block of ports turns himself away, and not who has another block of the address")
    func portBlocks() {
        let waiting = PendingConnections(
            GateConfiguration.WaitingLimits(total: 64, perClient: 1), cuts: 4, metrics: GateMetrics(),
            events: EventList())
        let peer = IPAddress(v4: 0xc000_0201)
        struct Waiting: PendingConnection { func cut(resets: Bool) {} }
        /// The address is kept above what its cuts may be.
        func knock(port: Int) -> Bool {
            for _ in 0..<6 { _ = waiting.enter(Waiting(), from: peer, isShared: false) }
            return !waiting.turnsAway(peer, port: port)
        }
        let start = ContinuousClock.now
        var passed = 0
        for number in 0..<200 where knock(port: 20_480 + number) { passed += 1 }
        let seconds = Int((ContinuousClock.now - start).components.seconds)
        #expect(8...(9 + seconds) ~= passed)
        #expect(knock(port: 20_479) && knock(port: 21_504) && knock(port: 65_535) && knock(port: 1))
    }
}
