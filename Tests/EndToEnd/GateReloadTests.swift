import AppAttestClient
import Foundation
import GateTestKit
import TestSupport
import Testing

@Suite("A gate that is told to read its settings anew", .timeLimit(.minutes(30)))
struct GateReloadTests {
    let site: GateSite

    init() async throws { site = try await GateSite() }

    private func configure(_ settings: [String]) throws {
        let path = "\(site.folder)/gate.conf"
        let basis =
            try String(contentsOfFile: path, encoding: .utf8)
            .components(separatedBy: "# Changed").first ?? ""
        try Data((basis + "# Changed\n" + settings.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: path))
    }

    private func status(_ client: TrialGate, origin: String) async throws -> Int {
        do {
            await (try await TrialSocket.open(client, [("Origin", origin)])).connection.close()
            return 101
        } catch let refusal as GateRefusal {
            return refusal.status
        }
    }

    @Test("takes over origins, rates and its certificate, keeps connections, and keeps what it has if the new is bad")
    func reload() async throws {
        let log = site.scratch.path("log")
        func logged(_ text: String, _ count: Int = 1) async throws {
            _ = try await eventually {
                try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: text).count > count
                    ? true : nil
            }
        }
        try configure(["ALLOWED_ORIGINS=https://one.example", "CHALLENGE_RATE=off"])
        let gate = try await site.gate(
            ["--require-app-auth", "false", "--max-connections-per-ip", "10000"], log: log)
        let before = try site.client(gate)
        let old = try await TrialSocket.open(before, [("Origin", "https://one.example")])
        #expect(try await status(before, origin: "https://two.example") == 403)
        for _ in 0..<40 { #expect(try await before.request("GET", at: "/attest/challenge").status == 200) }

        // A certificate of another authority.
        let other = site.scratch.path("other")
        try await OwnThread.run { try GateProcess.mintAuthority(other) }
        for name in ["tls.pem", "tls-key.pem"] {
            try Data(contentsOf: URL(filePath: "\(other)/\(name)")).write(to: URL(filePath: "\(site.folder)/\(name)"))
        }
        try configure(["ALLOWED_ORIGINS=https://two.example", "CHALLENGE_RATE=1/600s"])
        gate.signal("HUP")
        let after = try gate.client(folder: other)
        #expect(try await eventually { try? await after.request("GET", at: "/healthz").status } == 200)
        await #expect(throws: (any Error).self) { try await before.request("GET", at: "/healthz") }
        // The gate looks after its certificate also by itself: that one may have come before the settings.
        #expect(
            try await eventually {
                try await status(after, origin: "https://two.example") == 101 ? true : nil
            })
        #expect(try await status(after, origin: "https://one.example") == 403)
        var statuses: [Int] = []
        for _ in 0..<3 { statuses.append(try await after.request("GET", at: "/attest/challenge").status) }
        #expect(statuses.last == 429)
        try await old.send("lives on")
        #expect(await old.nextMessage() == Array("lives on".utf8))

        try configure(["ALLOWED_ORIGINS=https://three.example", "CHALLENGE_RATE=fast"])
        gate.signal("HUP")
        try await logged("CHALLENGE_RATE")
        #expect(try await status(after, origin: "https://two.example") == 101)

        try configure(["ALLOWED_ORIGINS=https://three.example", "CHALLENGE_RATE=off"])
        try Data("no certificate".utf8).write(to: URL(filePath: "\(site.folder)/tls.pem"))
        gate.signal("HUP")
        try await logged("TLS_CERT_PATH")
        #expect(
            try await eventually {
                try await status(after, origin: "https://three.example") == 101 ? true : nil
            })
        let lines = try String(contentsOfFile: log, encoding: .utf8).components(separatedBy: "\n")
        #expect(lines.filter { $0.contains("reload_failed") }.count >= 2)
        try await old.send("still")
        #expect(await old.nextMessage() == Array("still".utf8))
    }

    @Test("what waits for a restart is said, and has no effect")
    func restart() async throws {
        let log = site.scratch.path("log")
        try configure(["MAX_FRAME_BYTES=1000"])
        let gate = try await site.gate(GateSite.open, log: log)
        try configure(["MAX_FRAME_BYTES=2000"])
        gate.signal("HUP")
        _ = try await eventually {
            try String(contentsOfFile: log, encoding: .utf8).contains("MAX_FRAME_BYTES has changed") ? true : nil
        }
        let socket = try await TrialSocket.open(try site.client(gate))
        try await socket.send(0x82, [UInt8](repeating: 0, count: 1_500))
        #expect(await socket.closeCode() == 1009)
    }
}
