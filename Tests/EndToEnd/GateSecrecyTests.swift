import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("What the gate keeps to itself", .timeLimit(.minutes(30)))
struct GateSecrecyTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    @Test("neither its log, nor its metrics, nor its refusals repeat what is secret, or what would steer a terminal")
    func canaries() async throws {
        let log = site.scratch.path("log")
        let token = site.scratch.path("token")
        try SmallFile.write(Array("canary-token-0123456789\n".utf8), to: token, isSecret: true)
        let reserved = try ReservedPort()
        let place = "127.0.0.1:\(reserved.number)"
        let gate = try await site.gate(
            GateSite.unlimited + [
                "--log-level", "debug", "--admin-bind", place, "--admin-token-path", token,
                "--shutdown-grace-ms", "10",
            ], log: log)
        let client = try site.client(gate)
        let phone = try site.device()
        let ownFields = [
            ("Authorization", "Bearer canary-authorization"), ("Cookie", "session=canary-cookie"),
        ]
        let app = AppAttestClient(service: phone, transport: client, storage: phone)
        let headers = try await app.connect { $0 }
        let socket = try await TrialSocket.open(client, headers.fields + ownFields)
        try await socket.send("canary-payload")
        #expect(await socket.nextMessage() == Array("canary-payload".utf8))

        var told = ""
        func refuse(_ fields: [(name: String, value: String)]) async throws {
            let upgrade = [
                ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
            ]
            let reply = try await client.request(
                "GET", at: "/canary-path?canary-query", fields: upgrade + fields + ownFields)
            #expect(reply.status >= 400)
            told += String(decoding: reply.body, as: UTF8.self)
        }
        try await refuse(headers.fields)
        try await refuse([])
        try await refuse([("User-Agent", "\u{1b}[2Jcanary-agent")])
        try await refuse(headers.fields.map { ($0.name, $0.value + "!") })
        try await refuse(headers.fields.dropLast() + [("X-App-Assert-Nonce", String(repeating: "5", count: 64))])
        let body = #"{"keyId":"canary-key","attestation":"canary","clientData":"\#(headers.nonce)"}"#
        let reply = try await client.request(
            "POST", at: "/attest/register", fields: [("Content-Type", "application/json")], body: Array(body.utf8))
        told += String(decoding: reply.body, as: UTF8.self)

        let admin = try TrialGate("http://\(place)")
        let bearer = [("Authorization", "Bearer canary-token-0123456789")]
        for (path, fields) in [
            ("/metrics", []), ("/admin/keys", []), ("/admin/keys", bearer), ("/admin/config", bearer),
        ] {
            let reply = try await admin.request("GET", at: path, fields: fields)
            told += String(decoding: reply.body, as: UTF8.self)
        }
        #expect(told.contains("gate_upgrades_total"))
        gate.signal("TERM")
        await socket.connection.close()
        #expect(await gate.wait() == 0)
        told += try String(contentsOfFile: log, encoding: .utf8)
        #expect(told.contains(#""event":"refused""#))
        let secrets = ["canary", "\u{1b}", headers.keyID, headers.assertion, headers.nonce]
        for secret in secrets { #expect(!told.contains(secret), "\(secret)") }
        withExtendedLifetime(reserved) {}
    }
}
