import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("The gate under a flood", .timeLimit(.minutes(30)))
struct GateFloodTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    /// Asks for challenges, a hundred on each connection, which is as many as the gate answers on one.
    ///
    /// - Parameter address: of the client that the n-th request is for.
    /// - Returns: how many were given out.
    private func flood(
        _ client: TrialGate, connections: Int, address: @escaping @Sendable (Int) -> String
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            var begun = 0
            func begin() {
                guard begun < connections else { return }
                let first = begun * 100
                begun += 1
                group.addTask {
                    let connection = try await client.open()
                    let requests = (first..<first + 100).map {
                        "GET /attest/challenge HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address($0))\r\n\r\n"
                    }
                    try await connection.send(Array(requests.joined().utf8))
                    var answers: [UInt8] = []
                    while case .bytes(let bytes) = await connection.receive() { answers += bytes }
                    return Self.count("HTTP/1.1 200 ", in: answers)
                }
            }
            for _ in 0..<8 { begin() }
            var count = 0
            for try await answers in group {
                count += answers
                begin()
            }
            return count
        }
    }

    private static func count(_ text: String, in bytes: [UInt8]) -> Int {
        let text = Array(text.utf8)
        return bytes.indices.count { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
    }

    @Test(
        "100,000 challenges, from one address and from 20,000, leave the memory bounded, and a device gets in",
        .enabled(if: GateProcess.showsMemory), arguments: ["stored", "sealed"])
    func challenges(_ mode: String) async throws {
        let gate = try await site.gate(
            GateSite.unlimited + ["--trusted-proxy-cidrs", "127.0.0.0/8", "--nonce-mode", mode])
        let client = try site.client(gate)
        _ = try await flood(client, connections: 20) { _ in "192.0.2.1" }
        let before = try gate.residentBytes()
        let fromOne = try await flood(client, connections: 500) { _ in "192.0.2.1" }
        let fromMany = try await flood(client, connections: 500) { "10.1.\($0 % 20_000 / 250).\($0 % 250)" }
        #expect(fromOne == 50_000)
        #expect(fromMany == 50_000)
        let growth = try gate.residentBytes() - before
        #expect(growth < 16 << 20)
        let socket = try await site.connect(site.device(), client)
        try await socket.send("through")
        #expect(try await socket.nextMessage() == Array("through".utf8))
    }

    @Test("out of descriptors, the gate waits for some and serves on", arguments: [true, false])
    func descriptors(isTLS: Bool) async throws {
        let settings = GateSite.unlimited + ["--shutdown-grace-ms", "10", "--event-loops", "1"]
        let gate = try await site.gate(settings + (isTLS ? [] : GateSite.plain), prelude: "ulimit -n 64")
        let plain = try TrialGate("http://127.0.0.1:\(gate.port)")
        var connections: [TrialConnection] = []
        for _ in 0..<100 { connections.append(try await plain.open()) }
        for connection in connections { await connection.close() }
        let client = isTLS ? try site.client(gate) : plain
        #expect(try await client.request("GET", at: "/readyz").status == 200)
        gate.signal("TERM")
        #expect(await gate.wait() == 0)
    }
}
