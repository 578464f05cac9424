import AppAttest
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import Gate

@Suite("The operators' listener", .timeLimit(.minutes(30)))
struct AdminTests {
    let files: TemporaryFolder
    private var path: String { files.path("admin") }

    init() throws { files = try TemporaryFolder() }

    private func site(
        _ changes: [String: String] = [:], clock: any GateClock = SystemClock()
    ) async throws -> ServerSite {
        try await ServerSite(["ADMIN_BIND": "unix:\(path)"].merging(changes) { $1 }, clock: clock)
    }

    private func ask(_ method: String, _ target: String) async throws -> Reply {
        try await RawClient.request(unix: path, method, target)
    }

    @Test("its socket is the gate's user's alone, takes the place of an old one, and of nothing else")
    func socket() async throws {
        for _ in 0..<2 {
            let site = try await site()
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try await ask("GET", "/metrics").status == 200)
            await site.server.drain()
        }
        try FileManager.default.removeItem(atPath: path)
        try files.write("mine", to: "admin")
        let error = await #expect(throws: GateServerError.self) { try await site() }
        guard case .listen(path, _) = error else { throw try #require(error) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    @Test("an address that is taken is told in the system's words, with the setting that it is from")
    func taken() async throws {
        let first = try await ServerSite()
        let place = "127.0.0.1:\(first.port)"
        for (name, value, settings) in [
            ("WS_PORT", "\(first.port)", "BIND_HOST, WS_PORT"), ("ADMIN_BIND", place, "ADMIN_BIND"),
        ] {
            let error = await #expect(throws: GateServerError.self) { try await ServerSite([name: value]) }
            let words = "Cannot listen at \(place): Address already in use (\(settings))."
            #expect(error?.description == words + " Choose another address or port.")
        }
        await first.server.drain()
    }

    @Test("the metrics tell what happened")
    func metrics() async throws {
        let site = try await site()
        let device = try await site.registered()
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        try await client.send(text: "hello")
        _ = try await client.readMessage()
        let text = try await ask("GET", "/metrics").text
        for line in [
            #"gate_upgrades_total{auth="app-attest",result="admitted",reason="none"} 1"#,
            #"gate_connections{state="open"} 1"#, #"gate_frames_total{direction="to_upstream",opcode="text"} 1"#,
            #"gate_challenges_total{result="issued"} 1"#, "process_resident_memory_bytes",
        ] { #expect(text.contains(line), "\(line)") }
    }

    @Test("a key that is revoked has its connections closed, and gets in no more")
    func revocation() async throws {
        let site = try await site()
        let device = try await site.registered()
        let client = try await site.webSocket("/", site.assertion(device, counter: 1))
        let sha = KeyName(try #require(KeyID(bytes: device.keyName))).hex
        #expect(try await ask("GET", "/admin/keys").text.contains(sha))
        #expect(try await ask("GET", "/admin/keys/\(sha)").member("signCount") == "1")
        #expect(try await ask("POST", "/admin/keys/\(sha)/revoke").status == 200)
        #expect(try await client.readMessage().closeCode == 1008)
        let reply = try await site.request("GET", "/", RawClient.handshake + site.assertion(device, counter: 2))
        #expect(reply.code == "key_revoked")
        #expect(try await ask("DELETE", "/admin/keys/\(sha)").status == 200)
        #expect(try await ask("GET", "/admin/keys/\(sha)").status == 404)
    }

    @Test("an operator sees the configuration, and may drain the gate")
    func drain() async throws {
        let site = try await site()
        #expect(try await ask("GET", "/admin/config").member("UPSTREAM_URL") != nil)
        #expect(try await ask("POST", "/admin/drain").status == 200)
        await site.server.stopped()
    }

    @Test("a reload changes what may change, and names the rest")
    func reload() async throws {
        let site = try await site(clock: StillClock())
        let changes = ["ALLOWED_ORIGINS": "https://a.example", "MAX_CONNECTIONS": "7", "CHALLENGE_RATE": "1/60s"]
        let new = try ServerSite.configuration(
            ServerSite.environment.merging(["ADMIN_BIND": "unix:\(path)"]) { $1 }.merging(changes) { $1 })
        #expect(await site.server.reload(new) == ["MAX_CONNECTIONS"])
        #expect(try await site.request("GET", "/", RawClient.handshake).code == "origin_not_allowed")
        #expect(try await site.request("GET", "/attest/challenge").status == 200)
        #expect(try await site.request("GET", "/attest/challenge").status == 429)
    }

    @Test("another proxy may ask by the route for that, and is told who it is")
    func forwardAuthentication() async throws {
        let site = try await site(["FORWARD_AUTH_PATH": "/attest/verify"])
        let device = try await site.registered()
        let fields = try await site.assertion(device, counter: 1)
        let reply = try await site.request("GET", "/attest/verify", fields)
        #expect(reply.status == 204)
        #expect(reply.values("X-Gate-Auth") == ["app-attest"])
        #expect(try await site.request("GET", "/attest/verify", fields).status == 401)
    }

    @Test("the service's own question is answered as another proxy's, and uses the assertion up")
    func ownQuestion() async throws {
        let site = try await ServerSite()
        let fields = try await site.assertion(site.registered(), counter: 1).map { (name: $0.0, value: $0.1) }
        let decision = await site.server.decide(fields, from: "192.0.2.1")
        #expect(decision.status == 204)
        #expect(decision.fields.contains { $0.name == "X-Gate-Auth" && $0.value == "app-attest" })
        #expect(await site.server.decide(fields, from: "192.0.2.1").status == 401)
        #expect(await site.server.decide([], from: "192.0.2.1").status == 401)
        #expect(await site.server.decide(fields, from: "nowhere").status == 400)
        #expect(await site.server.decide([(name: "a b", value: "")], from: "192.0.2.1").status == 400)
        #expect(site.server.metrics().contains("gate_upgrades_total{auth=\"app-attest\",result=\"admitted\""))
    }
}
