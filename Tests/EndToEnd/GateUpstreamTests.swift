import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("The services behind the gate", .timeLimit(.minutes(30)))
struct GateUpstreamTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    private var certificate: (chain: String, key: String) {
        ("\(site.folder)/tls.pem", "\(site.folder)/tls-key.pem")
    }

    private var authority: [String] { ["--upstream-tls-ca-path", "\(site.folder)/tls-ca.pem"] }

    @Test(
        "a WebSocket service is reached by its name, by TLS and by a Unix socket",
        arguments: ["ws://localhost", "wss://localhost", "wss://127.0.0.1", "unix:"])
    func webSockets(_ place: String) async throws {
        let path = place == "unix:" ? site.scratch.path("service") : nil
        let (service, arrivals) = try await TrialServer.accepting(
            certificate: place.hasPrefix("wss") ? certificate : nil, at: path)
        let address = place + (path ?? ":\(service.port)")
        let gate = try await site.gate(
            GateSite.open + ["--upstream-url", address] + (place.hasPrefix("wss") ? authority : []))
        let ends = try await meet(arrivals) { [client = try site.client(gate)] in try await TrialSocket.open(client) }
        #expect(ends.service["x-forwarded-proto"] == ["https"])
        try await ends.client.send("there")
        #expect(await ends.service.nextMessage() == Array("there".utf8))
        try await ends.service.send("and back", isMasked: false)
        #expect(await ends.client.nextMessage() == Array("and back".utf8))
        try await ends.service.send(0x88, [0x0f, 0xa0], isMasked: false)
        #expect(await ends.client.closeCode() == 4_000)
    }

    @Test("a stream is reached by TLS", arguments: ["tls", "telnets"])
    func streams(_ scheme: String) async throws {
        let (service, arrivals) = try await TrialServer.accepting(certificate: certificate)
        let gate = try await site.gate(
            GateSite.open + ["--upstream-url", "\(scheme)://localhost:\(service.port)"] + authority)
        let ends = try await meet(arrivals, isWebSocket: false) { [client = try site.client(gate)] in
            try await TrialSocket.open(client)
        }
        try await ends.client.send(0x82, [1, 255])
        var heard: [UInt8] = []
        let expected: [UInt8] = scheme == "tls" ? [1, 255] : [1, 255, 255]
        while heard.count < expected.count {
            guard case .bytes(let bytes) = await ends.service.connection.receive() else { break }
            heard += bytes
        }
        #expect(heard == expected)
        try await ends.service.connection.send([7, 8])
        #expect(await ends.client.nextMessage() == [7, 8])
        await ends.service.connection.close()
        #expect(await ends.client.closeCode() == 1000)
    }

    /// What is wrong with the certificate that a service shows.
    enum Doubt: CaseIterable {
        case otherAuthority, systemAuthorities, otherName

        func settings(_ site: GateSite) -> [String] {
            switch self {
            case .otherAuthority: ["--upstream-tls-ca-path", "\(site.folder)/client-ca.pem"]
            case .systemAuthorities: []
            case .otherName:
                [
                    "--upstream-tls-ca-path", "\(site.folder)/tls-ca.pem", "--upstream-tls-server-name",
                    "other.example",
                ]
            }
        }
    }

    @Test(
        "a service whose certificate is wrong hears nothing, and the client 502",
        arguments: ["wss", "tls", "telnets"], Doubt.allCases)
    func wrongCertificate(_ scheme: String, _ doubt: Doubt) async throws {
        let (service, arrivals) = try await TrialServer.accepting(certificate: certificate)
        let gate = try await site.gate(
            GateSite.open + ["--upstream-url", "\(scheme)://localhost:\(service.port)"] + doubt.settings(site))
        let refusal = await #expect(throws: GateRefusal.self) { try await TrialSocket.open(try site.client(gate)) }
        #expect(refusal?.status == 502)
        #expect(refusal?.code == "upstream_unreachable")
        let arrival = try #require(await arrivals.first { _ in true })
        #expect(await arrival.receive() == .ended)
    }

    @Test(
        "an answer of a service that two readers may read differently does not reach the client",
        arguments: [
            "X: a\rY: b\r\n", "X: a\u{0}b\r\n", "X: \u{1b}[2J\r\n", "X: a\u{7f}\r\n", "X Y: b\r\n", "X\rY: b\r\n",
        ])
    func malformedAnswer(_ lines: String) async throws {
        let (service, arrivals) = try await TrialServer.accepting()
        let gate = try await site.gate(GateSite.open + ["--upstream-url", "ws://127.0.0.1:\(service.port)"])
        let answering = Task {
            guard let arrival = await arrivals.first(where: { _ in true }) else { return }
            _ = try? await TrialSocket.accept(arrival, extraFields: lines)
        }
        let refusal = await #expect(throws: GateRefusal.self) { try await TrialSocket.open(try site.client(gate)) }
        #expect(refusal?.status == 502 && refusal?.code == "upstream_refused")
        await answering.value
    }

    @Test("the name that a service's certificate is for may be another than the one it is reached by")
    func serverName() async throws {
        let (service, arrivals) = try await TrialServer.accepting(certificate: certificate)
        let gate = try await site.gate(
            GateSite.open + authority + [
                "--upstream-url", "wss://127.0.0.1:\(service.port)", "--upstream-tls-server-name", "localhost",
            ])
        let ends = try await meet(arrivals) { [client = try site.client(gate)] in try await TrialSocket.open(client) }
        try await ends.client.send("x")
        #expect(await ends.service.nextMessage() == Array("x".utf8))
    }

    @Test("a service that nobody runs is 502, by address, by name and by path")
    func nobody() async throws {
        for address in ["ws://127.0.0.1:1", "tcp://localhost:1", "unix:/nowhere/service", "ws://nowhere.invalid:80"] {
            let gate = try await site.gate(GateSite.open + ["--upstream-url", address])
            let refusal = await #expect(throws: GateRefusal.self) {
                try await TrialSocket.open(try site.client(gate))
            }
            #expect(refusal?.code == "upstream_unreachable", "\(address)")
        }
    }
}
