import AppAttest
import AppAttestTestKit
import Gate
import GateTestKit

/// A gate of this process, on a free port of the loopback.
struct LiveGate {
    static let team = "TESTTEAM01"
    static let bundle = "com.example.gate"

    let server: GateServer
    let keys: MemoryKeyStore
    let nonces: MemoryNonceStore
    let port: Int

    private static let basis = [
        "APPATTEST_TEAM_ID": team, "APPATTEST_BUNDLE_ID": bundle, "INBOUND_TLS_MODE": "off", "WS_PORT": "0",
        "ADMIN_BIND": "off", "EVENT_LOOPS": "1", "SHUTDOWN_GRACE_MS": "0", "SHUTDOWN_DEADLINE_MS": "5000",
        "HEADER_TIMEOUT_MS": "60000", "LOG_LEVEL": "error",
    ]

    /// - Parameter settings: on top of what works.
    static func configuration(
        _ settings: [String: String], without names: Set<String> = []
    ) throws -> GateConfiguration {
        let environment = basis.merging(settings) { $1 }.filter { !names.contains($0.key) }
        return try GateConfiguration(SettingSources(environment: environment))
    }

    init(_ settings: [String: String], without names: Set<String> = [], anchors: TrustAnchors? = nil) async throws {
        let configuration = try Self.configuration(settings, without: names)
        keys = MemoryKeyStore()
        nonces = MemoryNonceStore()
        let log = EventLog(level: .error, format: .text, clock: SystemClock()) { _ in }
        var parts = GateServer.Parts(keys: keys, nonces: nonces, events: log)
        parts.anchors = anchors
        server = try GateServer(configuration, parts: parts)
        port = try await server.start().port
    }

    /// Starts a gate that lets every client in and answers with an echo.
    static func echo() async throws -> LiveGate {
        try await LiveGate(open.merging(["APP_ENV": "test", "UPSTREAM_URL": "echo:"]) { $1 })
    }

    /// What lets frames of every size and any number of connections through.
    static let open = [
        "REQUIRE_APP_AUTH": "false", "MAX_CONNECTIONS_PER_IP": "10000", "MAX_FRAME_BYTES": "33554432",
        "MAX_MESSAGE_BYTES": "33554432", "WS_HEARTBEAT_INTERVAL_MS": "600000", "WS_HEARTBEAT_TIMEOUT_MS": "1800000",
    ]

    func client(
        _ path: String = "/", isTLS: Bool = false, _ certificates: TrialGate.Certificates = .init()
    ) throws -> TrialGate {
        try TrialGate("\(isTLS ? "https://localhost" : "http://127.0.0.1"):\(port)\(path)", certificates)
    }

    func stop() async { await server.drain() }

    /// Runs something with a gate, and stops it however that ends.
    static func with<Value>(
        _ gate: LiveGate, _ body: (LiveGate) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(gate)
            await gate.stop()
            return value
        } catch {
            await gate.stop()
            throw error
        }
    }
}
