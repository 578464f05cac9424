import AppAttest
import Foundation
import GateTestKit
import TestSupport
import Testing
import WebSocketFrames

@Suite("The gate ends", .timeLimit(.minutes(30)))
struct GateDrainTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    /// 120 that talk, 20 in the middle of a message, 20 idle behind an answer, 20 in the middle of a head, 20 without
    /// TLS yet.
    @Test("200 connections of all kinds: each WebSocket gets 1001, all end, and every counter is on the disk")
    func everybody() async throws {
        let back = try await site.gate(GateSite.open + ["--attested-keys-path", site.scratch.path("back.json")])
        let gate = try await site.gate(
            GateSite.unlimited + [
                "--upstream-url", "wss://localhost:\(back.port)", "--upstream-tls-ca-path",
                "\(site.folder)/tls-ca.pem", "--shutdown-grace-ms", "10", "--shutdown-deadline-ms", "6000",
            ])
        let client = try site.client(gate)
        let sockets = try await webSockets(client)
        for (index, socket) in sockets.enumerated() where index % 7 == 0 {
            try await socket.send("message \(index)")
            #expect(try await socket.nextMessage() == Array("message \(index)".utf8))
        }
        // A client that never ends its message: only the deadline ends this one.
        let phone = try site.device()
        var unfinished: [TrialWebSocket] = []
        for _ in 0..<20 {
            let socket = try await site.connect(phone, client)
            try await socket.sendRaw(Array(TrialSocket.frame(0x82, [UInt8](repeating: 1, count: 1_000)).prefix(500)))
            unfinished.append(socket)
        }
        var others: [TrialConnection] = []
        for _ in 0..<20 {
            let idle = try await client.open()
            try await idle.send(TrialGate.head("GET", at: "/healthz", host: "localhost", fields: []))
            _ = try await idle.reply()
            let begun = try await client.open()
            try await begun.send(Array("GET / HTTP/1.1\r\nHo".utf8))
            others += [idle, begun, try await TrialGate("http://127.0.0.1:\(gate.port)").open()]
        }

        gate.signal("TERM")
        for socket in sockets + unfinished { #expect(try await closeCode(socket) == .goingAway) }
        for connection in others { while case .bytes = await connection.receive() {} }
        #expect(await gate.wait() == 0)
        let file = try Data(contentsOf: URL(filePath: "\(site.folder)/attested-keys.json"))
        let keys = try #require(JSONSerialization.jsonObject(with: file) as? [String: [String: Any]])
        #expect(keys.values.reduce(0) { $0 + ($1["signCount"] as? Int ?? 0) } == 140)
    }

    private func webSockets(_ client: TrialGate) async throws -> [TrialWebSocket] {
        try await withThrowingTaskGroup(of: [TrialWebSocket].self) { group in
            for _ in 0..<8 {
                let phone = try site.device()
                group.addTask {
                    var sockets: [TrialWebSocket] = []
                    for _ in 0..<15 { sockets.append(try await site.connect(phone, client)) }
                    return sockets
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }

    private func closeCode(_ socket: TrialWebSocket) async throws -> CloseCode? {
        var code: CloseCode?
        while let event = try await socket.next() { if case .close(let payload) = event { code = payload.code } }
        return code
    }
}
